// The object `carronade` of a result: what docs/result.md explains. Times are nanoseconds.

/** Times of one kind; null where nothing was measured. */
export interface Times extends TimePercentiles {
  count: number
  min: number | null
  mean: number | null
  stddev: number | null
  max: number | null
}

export interface TimePercentiles {
  p0_001: number | null
  p0_01: number | null
  p0_1: number | null
  p1: number | null
  p2_5: number | null
  p10: number | null
  p25: number | null
  p50: number | null
  p75: number | null
  p90: number | null
  p95: number | null
  p97_5: number | null
  p99: number | null
  p99_9: number | null
  p99_99: number | null
  p99_999: number | null
}

type Bounded<T> = Record<'p50' | 'p90' | 'p99' | 'p99_9' | 'p99_99', T>

export interface BoundedTimes extends Times {
  n: number
  designEffect: Bounded<number | null>
  interval95: Bounded<[number, number] | null>
}

export interface ErrorKind {
  kind: string
  phase: 'resolve' | 'connect' | 'tls' | 'write' | 'read' | 'parse' | 'timeout' | 'proxy' |
    'upgrade'
  side: 'server' | 'this_machine'
  text: string
  count: number
  requests: number
}

export interface Second {
  second: number
  width: number
  planned: number | null
  sent: number
  answered: number
  errors: number
  dropped: number | null
  bytesReceived: number
  connections: number
  p50: number | null
  p99: number | null
}

export interface Rate {
  planned: number | null
  achieved: number | null
  unit: string
  requests: { planned: number, sentInTime: number, refused: number, unsent: number }
  loadNs: number
  pace: 'hybrid' | 'spin' | 'sleep'
}

export interface Stage {
  name: string
  start: number
  width: number
  planned: number
  sent: number
  answered: number
  failed: number
  dropped: number
  latency: Times
  serviceTime: Times
}

/** Of a run on ws:// or wss://. */
export interface WebSocketDetails {
  handshakes: { tried: number, opened: number, refused: Record<string, number> }
  messages: { text: number, binary: number, unasked: number }
  pings: number
  pongs: number
  closes: Record<string, number>
}

export interface Health {
  workers: Array<{
    wall: number
    cpu: number
    spin: number
    runDelay: number | null
    involuntarySwitches: number | null
    turns: Times
  }>
  host: {
    steal: number | null
    throttled: number | null
    retransmits: number | null
    segmentsSent: number | null
    cores: number
    descriptors: number
    descriptorLimit: number
    localPorts: number | null
  }
}

export interface Details {
  schema: number
  version: string
  stoppedBy: 'duration' | 'amount' | 'connection_requests' | 'bailout' | 'user' | 'unreachable' |
    'data' | 'unresolved'
  verdict: {
    state: 'valid' | 'suspect' | 'invalid'
    reasons: Array<{ code: string, text: string }>
  }
  loop: 'closed' | 'open'
  connections: { asked: number, peak: number, opened: number, reconnects: number }
  requests: {
    planned: number | null
    sent: number
    answered: number
    failed: number
    timedOut: number
    retried: number
    dropped: number
    inFlight: number
    mismatched: number
  }
  rate: Rate | null
  lateness: { generator: Times, noConnection: Times } | null
  bytes: { sent: number, received: number, body: number }
  errors: ErrorKind[]
  latency: BoundedTimes
  serviceTime: Times
  firstByte: Times
  connect: Times
  tlsHandshake: Times
  websocket: WebSocketDetails | null
  warmup: {
    width: number
    settled: boolean
    answered: number
    latency: Times
    serviceTime: Times
  } | null
  stages: Stage[] | null
  series: Second[]
  protocol: string
  addresses: string[]
  tls: { resumed: number }
  health: Health
}
