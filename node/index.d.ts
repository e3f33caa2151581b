/// <reference types="node" />

import { EventEmitter } from 'events'
import { ConnectionOptions } from 'tls'
import { Details } from './lib/result_types'

/** With `forever` there is no end to wait for: use `done`, which comes once a round. */
declare function carronade(options: carronade.Options & { forever: true }): carronade.Instance

/**
 * Runs a load test.
 * @returns an emitter of `start`, `tick`, `response`, `reqError`, `reqMismatch`, `done` and
 *   `error`, which can also be awaited for the result
 */
declare function carronade(options: carronade.Options): carronade.Run

/** With a callback the emitter is not thenable. */
declare function carronade(
  options: carronade.Options,
  callback: (error: Error | null, result: carronade.Result) => void
): carronade.Instance

declare namespace carronade {
  /** A text, or a number that is one; of a repeated header a list. */
  type HeaderValue = string | number | string[] | undefined
  type Headers = Record<string, HeaderValue>
  type Context = Record<string, any>

  interface Request {
    method?: string
    /** With query, without host. */
    path?: string
    headers?: Headers
    body?: string | Buffer
    /**
     * Called before each sending: returns the request to send; nothing at all begins the list
     * again from its first request. With `workers` the path of a module that exports it.
     */
    setupRequest?: ((request: Request, context: any) => Request | null | undefined | false |
      void) | string
    /** Called with each answer. With `workers` the path of a module that exports it. */
    onResponse?: ((status: number, body: string, context: any,
      headers: Record<string, string | string[]>) => void) | string
  }

  interface FormText {
    type: 'text'
    value: string | number
  }

  interface FormFile {
    type: 'file'
    path: string
    options?: {
      filename?: string
      filepath?: string
      contentType?: string
      header?: Record<string, string>
    }
  }

  type Form = Record<string, FormText | FormFile>

  type Url = string | URL

  /** Where to: one of the two has to be given. */
  type Where = {
    /** One target, or several: connection i uses target i mod n. */
    url: Url | Url[]
    /** Connect to this Unix socket; `url` still gives host and path. */
    socketPath?: string
  } | {
    /** Default: http://localhost */
    url?: Url | Url[]
    /** Connect to this Unix socket. */
    socketPath: string
  }

  type Options = Where & Settings

  interface Settings {
    title?: string
    /** Default: 10. */
    connections?: number
    /** Requests on their way at once on each connection (default: 1). */
    pipelining?: number
    /** Seconds, or a text with units: "1m30s" (default: 10). */
    duration?: number | string
    /** Requests in all; takes the place of `duration`. */
    amount?: number
    maxConnectionRequests?: number
    maxOverallRequests?: number
    /** Seconds (default: 10). */
    timeout?: number
    /** Width of a sample window in ms (default: 1000). */
    sampleInt?: number
    /** Threads, each with an engine of its own. */
    workers?: number
    /** End the run after so many errors or mismatches. */
    bailout?: number
    method?: string
    headers?: Headers
    body?: string | Buffer
    /** multipart/form-data: an object, its JSON, or the path of a file with it. */
    form?: Form | string
    /** Requests per second and connection. */
    connectionRate?: number
    /** Requests per second in all. */
    overallRate?: number
    ignoreCoordinatedOmission?: boolean
    /** Open the connection anew after so many requests. */
    reconnectRate?: number
    /** Sent in turn by each connection. */
    requests?: Request[]
    initialContext?: Context
    /** Called for each connection before the run. With `workers` the path of a module. */
    setupClient?: ((client: Client) => void) | string
    /** False: the answer counts as a mismatch. With `workers` the path of a module. */
    verifyBody?: ((body: string) => boolean) | string
    expectBody?: string
    /** Replace each "[<id>]" by an id. */
    idReplacement?: boolean
    /** Fill {{uuid}}, {{counter}}, {{random A B}}, {{timestamp}}, {{csv.COLUMN}} in. */
    template?: boolean
    /** A CSV file for {{csv.COLUMN}}. */
    data?: string
    dataMode?: 'sequence' | 'shuffle' | 'once'
    /** Connect from these addresses in turn. */
    localAddress?: string | string[]
    /** A parsed HTTP archive: its requests are sent in turn. */
    har?: object
    /** Start anew when the run is over, until stop() is called. */
    forever?: boolean
    /** Options of a run before the measured one. */
    warmup?: Partial<Where> & Settings
    /** Name for SNI; false for none. */
    servername?: string | false
    tlsOptions?: ConnectionOptions
    /** Leave answers that are not 2xx out of latency and throughput. */
    excludeErrorStats?: boolean
    /** Give the raw parts of a result, for aggregateResult(). */
    skipAggregateResult?: boolean
    debug?: boolean
    /** Print the result as JSON on standard output. */
    json?: boolean
  }

  interface Tick {
    /** Answers since the last one. */
    counter: number
    /** Bytes received since the last one. */
    bytes: number
  }

  interface Instance extends EventEmitter {
    /** As validated, with defaults. */
    opts: Options
    /** Ends the run; the result has what was measured so far. */
    stop(): void
    on(event: 'start', listener: () => void): this
    on(event: 'tick', listener: (tick: Tick) => void): this
    on(event: 'response', listener: (client: Client, statusCode: number, resBytes: number,
      responseTime: number) => void): this
    on(event: 'reqError', listener: (error: Error) => void): this
    on(event: 'reqMismatch', listener: (body: string) => void): this
    on(event: 'done', listener: (result: Result) => void): this
    on(event: 'error', listener: (error: Error) => void): this
    on(event: string | symbol, listener: (...args: any[]) => void): this
  }

  interface Run extends Instance {
    then: Promise<Result>['then']
    catch: Promise<Result>['catch']
  }

  /** One connection. The setters throw when `pipelining` is more than 1. */
  interface Client extends EventEmitter {
    setHeaders(headers?: Headers | null): void
    setBody(body?: string | Buffer | null): void
    setHeadersAndBody(headers?: Headers | null, body?: string | Buffer | null): void
    setRequest(request?: Request): void
    setRequests(requests: Request[]): void
    /** The bytes of the request that comes next. */
    getRequestBuffer(): Buffer
    /** Closes the connection for good. */
    destroy(): void
    /** Names and values in turn, as the server wrote them. */
    on(event: 'headers', listener: (head: { statusCode: number, statusMessage: string,
      headers: string[] }) => void): this
    on(event: 'body', listener: (body: Buffer) => void): this
    on(event: 'trailers', listener: (trailers: string[]) => void): this
    on(event: 'response',
      listener: (statusCode: number, resBytes: number, responseTime: number) => void): this
    on(event: 'reset', listener: () => void): this
    on(event: 'mismatch', listener: (body: string) => void): this
    on(event: 'timeout', listener: () => void): this
    on(event: 'connError', listener: (error: Error) => void): this
    on(event: 'request', listener: () => void): this
    on(event: 'done', listener: () => void): this
    on(event: string | symbol, listener: (...args: any[]) => void): this
  }

  interface Statistics {
    average: number
    mean: number
    stddev: number
    min: number
    max: number
    p0_001: number
    p0_01: number
    p0_1: number
    p1: number
    p2_5: number
    p10: number
    p25: number
    p50: number
    p75: number
    p90: number
    p97_5: number
    p99: number
    p99_9: number
    p99_99: number
    p99_999: number
  }

  interface Result {
    title?: string
    url: string | string[]
    socketPath?: string
    connections: number
    /** ms */
    sampleInt: number
    pipelining: number
    workers?: number
    /** s */
    duration: number
    samples: number
    start: Date
    finish: Date
    /** Timeouts included. */
    errors: number
    timeouts: number
    mismatches: number
    non2xx: number
    resets: number
    '1xx': number
    '2xx': number
    '3xx': number
    '4xx': number
    '5xx': number
    statusCodeStats: Record<string, { count: number }>
    /** ms, with fractions. */
    latency: Statistics & { totalCount: number }
    /** Answers per window. */
    requests: Statistics & { total: number, sent: number }
    /** Bytes per window. */
    throughput: Statistics & { total: number }
    /** The whole result of the run before. */
    warmup?: Result
    /** What carronade knows beyond autocannon's result. */
    carronade: Details
  }

  interface PrintOptions {
    /** Where the text will go: says whether it may have colours (default: process.stderr). */
    outputStream?: NodeJS.WritableStream & { isTTY?: boolean }
    renderLatencyTable?: boolean
    renderStatusCodes?: boolean
    /** False: only the last lines. */
    verbose?: boolean
  }

  interface TrackOptions extends PrintOptions {
    /** The header, and on a terminal a bar (default: true). */
    renderProgressBar?: boolean
    /** The report at the end (default: true). */
    renderResultsTable?: boolean
    /** Format of the npm package "progress". */
    progressBarString?: string
  }

  type AggregateOptions = Where & {
    title?: string
    connections?: number
    sampleInt?: number
    pipelining?: number
    workers?: number
  }

  // The names of @types/autocannon.
  type Histogram = Statistics
  type TrackingOptions = TrackOptions
  type PrintResultOptions = PrintOptions

  /** Prints progress and report of a run. */
  function track(instance: Instance, options?: TrackOptions): void
  /** The report as text. */
  function printResult(result: Result, options?: PrintOptions): string
  /** One result of several that were made with `skipAggregateResult`. */
  function aggregateResult(results: object[], options: AggregateOptions): Result
  /** autocannon's command line as options; nothing when help or version was printed. */
  function parseArguments(words: string[]): (Options & Record<string, any>) | undefined
  /** Runs what parseArguments() gave, and prints the report. */
  function start(argv: object | undefined): void
}

export = carronade
