/// <reference types="node" />

import http = require('http')

declare namespace loadtest {
  /** Runs a load test. The options are never changed. */
  function loadTest(options: LoadTestOptions): Promise<LoadTestResult>
  function loadTest(
    options: LoadTestOptions,
    callback: (error: Error | null, result?: LoadTestResult) => void
  ): void

  /** Starts the test server; it is up when the promise is fulfilled. */
  function startServer(options?: TestServerOptions): Promise<TestServer>
  function startServer(
    options: TestServerOptions,
    callback: (error: Error | null, server?: TestServer) => void
  ): TestServer | undefined

  type HeaderValue = string | number | readonly string[] | null | undefined
  type Headers =
    | string
    | ReadonlyArray<string | readonly [string, HeaderValue]>
    | Iterable<readonly [string, HeaderValue]>
    | { [name: string]: HeaderValue }

  type BodyValue = string | number | Uint8Array | object
  /** Called for each request with an id of its own (a UUID). Not asynchronous. */
  type BodyFunction = (requestId: string) => BodyValue

  interface LoadTestOptions {
    /** `http:`, `https:`, `ws:` or `wss:`. */
    url: string | URL
    /** Clients; of each core, when there are several. Default: 10. Not with requestsPerSecond. */
    concurrency?: number | string
    /** How many requests in total. */
    maxRequests?: number | string
    /** How long, in seconds. Default: 10, unless maxRequests is given. */
    maxSeconds?: number | string
    /**
     * For each request, in ms; 0: none. Default: none with maxSeconds, else 60 s. A request that is
     * late is given up and counts as an error once. An option that is 0 or false is said: it holds
     * against the configuration file.
     */
    timeout?: number | string
    cookies?: string | readonly string[] | { [name: string]: string }
    /** Without content-length and transfer-encoding: these are those of the body that is sent. */
    headers?: Headers
    /** GET, POST, PUT, DELETE or PATCH. Default: GET. */
    method?: string
    /** Objects are sent as JSON, or as a form when contentType says so. */
    body?: BodyValue | BodyFunction
    /** As body, when there is no body. */
    data?: BodyValue
    /** Body of a POST. */
    postBody?: BodyValue | BodyFunction
    /** Body of a PATCH. */
    patchBody?: BodyValue | BodyFunction
    /**
     * File with the body of a POST, "-" for standard input; a .js, .mjs or .cjs file is a module
     * whose default export is called for each request. Relative to the working directory.
     */
    postFile?: string
    putFile?: string
    patchFile?: string
    /** Of a body; takes the place of a header `content-type`. Default: text/plain. */
    contentType?: string
    /** An open loop: so many requests leave each second, whatever the answers do. Fractions too. */
    requestsPerSecond?: number | string
    /** The same. */
    rps?: number | string
    /** Connections are kept open. */
    agentKeepAlive?: boolean
    keepalive?: boolean
    agent?: boolean
    /** Makes each request with Node's own client; or the path of a module that exports it. */
    requestGenerator?: RequestGenerator | string
    /** No progress lines. */
    quiet?: boolean
    /** What this finds in path and body becomes a number that counts up: all places. */
    indexParam?: string | RegExp
    index?: string | RegExp
    /** The same for a text as it is: its first place. */
    indexParamLiteral?: string
    /** What takes the number's place. */
    indexParamCallback?: () => unknown
    /** Accept any certificate. */
    insecure?: boolean
    /** As in `TLSv1_2_method`. */
    secureProtocol?: string
    /** Paths of the client's certificate and its key, PEM; or their contents as bytes. */
    cert?: string | Uint8Array
    key?: string | Uint8Array
    /** URL of an HTTP proxy. */
    proxy?: string
    /** As keepalive; only the report is different. */
    tcp?: boolean
    /** Threads of the engine; 1 when there are functions to call. Default: 1. */
    cores?: number | string
    /** Called after each request: `error` in words, or null. No result without an answer. */
    statusCallback?: (error: string | null, result?: StatusResult) => void
    /**
     * Called with each answer before it is counted. `customError` makes an error of it,
     * `customErrorCode` counts it under `STATUS:code`, also where the status is an error by itself;
     * without it the code is the status.
     */
    contentInspector?: (result: StatusResult) => void
    /** Has no effect: a test always goes on behind errors. */
    recover?: boolean
    /** Has no effect. */
    debug?: boolean
  }

  /**
   * Must return the request that `client`, which is as http.request or https.request, has made, and
   * let `callback` be called with its answer.
   */
  type RequestGenerator = (
    /** The options, with the headers that are sent. */
    params: LoadTestOptions & { headers: { [name: string]: any } } & { [name: string]: any },
    options: http.RequestOptions & { headers: { [name: string]: any } } & { [name: string]: any },
    client: typeof http.request,
    callback: (response: http.IncomingMessage) => void
  ) => http.ClientRequest | Promise<http.ClientRequest>

  interface StatusResult {
    host: string
    path: string
    method: string
    statusCode: number
    body: string
    headers: http.IncomingHttpHeaders
    /** What the request generator left in `request.labels`. */
    labels?: any
    /** ms, with fractions. */
    requestElapsed: number
    /** From 0; of the answers, in the order in which they came. */
    requestIndex: number
    /** Of the load test, in this process. */
    instanceIndex: number
    customError?: any
    customErrorCode?: any
  }

  /** Times are ms with fractions, NaN when nothing was answered. */
  interface LoadTestResult {
    url: string
    cores: number
    /** 0: not limited. */
    maxRequests: number
    maxSeconds: number
    concurrency: number
    agent: 'none' | 'keepalive' | 'tcp'
    requestsPerSecond: number | undefined
    /** Connections that were used at once. */
    clients: number
    startTimeMs: number
    stopTimeMs: number
    elapsedSeconds: number
    /** Answered, failed and timed out. What was in flight at the end is not in it. */
    totalRequests: number
    totalErrors: number
    totalTimeSeconds: number
    /** All latencies added up. */
    accumulatedMs: number
    maxLatencyMs: number
    minLatencyMs: number
    /**
     * How many by status from 400 on, `-1` (no answer), and what contentInspector found:
     * `STATUS:code`, or `STATUS` (`200`, of a WebSocket `0`) without a customErrorCode.
     */
    errorCodes: { [code: string]: number }
    /** How many by whole ms. */
    histogramMs: { [ms: string]: number }
    meanLatencyMs: number
    /** NaN for no time at all, and for less than 1 ms without an answer. */
    effectiveRps: number
    rps: number
    percentiles: { 50: number, 90: number, 95: number, 99: number }
    instanceIndex: number
    carronade: LoadTestDetails
    /** Writes the report to standard output. */
    show(): void
    /** Adds the result of another part of the same test. */
    combine(other: LoadTestResult): void
  }

  interface LoadTestDetails {
    errors: { kind: string, phase: string, text: string, count: number }[]
    /** Sent and not ended when the test ended. */
    inFlight: number
    /** Due and never sent, with requestsPerSecond. */
    unsent: number
    /** Sent once more because the server had closed an idle connection. */
    retried: number
    /** Whether the figures can be believed; null for results put together. */
    verdict: { state: 'valid' | 'suspect' | 'invalid', reasons: { code: string, text: string }[] } |
      null
  }

  interface TestServerOptions {
    /** Default: 7357; 0 takes any free one. */
    port?: number | string
    /** ms before each answer. */
    delay?: number | string
    /** Status of the answers that are errors, 200 to 599. Default with percent: 500. */
    error?: number | string
    /** How many of 100 requests get the error. Default: all with `error`, otherwise none. */
    percent?: number | string
    /** Default: OK. An object is sent as JSON. */
    body?: string | Uint8Array | object
    file?: string
    /** Called after each answer; the request has `body`. */
    logger?: (
      request: http.IncomingMessage & { body: string },
      response: http.ServerResponse
    ) => void
    quiet?: boolean
    /** Whether this request gets the error. */
    shouldErrorCustom?: (request: http.IncomingMessage & { body: string }) => boolean
  }

  interface TestServer {
    /** The one it listens on, when it is up. */
    readonly port: number
    /** And WebSocket messages, so far. */
    readonly totalRequests: number
    /** Requests that came are answered; who has asked nothing is not waited for. */
    close(callback?: (error?: Error) => void): Promise<void>
  }
}

declare namespace loadtest {
  // The same, for who imports by default.
  export { loadtest as default }
}

export = loadtest
