'use strict'

// One round of a run: setting up, `start`, ticks, and the result.

const { emitAndGoOn } = require('./emit')
const { EngineRun } = require('./engine_run')
const { partialResultOf, resultOf } = require('./result')
const { withScheme } = require('./targets')
const { Ticker } = require('./ticker')
const { runWorkers } = require('./workers')

class Round {
  /**
   * @param {import('events').EventEmitter} tracker
   * @param {object} opts validated
   * @throws {Error} as EngineRun; fewer requests than connections
   */
  constructor(tracker, opts) {
    this._tracker = tracker
    checkTotals(opts)
    this._opts = effective(opts)
    this._stopped = false
    this._run = needsIsolates(opts) ? null : new EngineRun(this._opts, tracker)
  }

  /**
   * `start` comes later, so that listeners can be added to what carronade() returned.
   * @param {(error: Error|null, result?: object) => void} onEnd
   */
  begin(onEnd) {
    setImmediate(() => {
      emitAndGoOn(this._tracker, 'start')
      if (this._run) this._launch(onEnd)
      else this._launchWorkers(onEnd)
    })
  }

  stop() {
    this._stopped = true
    if (this._run) this._run.stop()
    if (this._workers) this._workers.stop()
  }

  _launch(onEnd) {
    const run = this._run
    const ticker = this._makeTicker(() => run.progress())
    try {
      run.launch(({ state, resets }) => this._finish(ticker, [state], resets, onEnd))
    } catch (error) {
      ticker.stop()
      setImmediate(onEnd, error)
    }
  }

  // Callbacks given as module paths run in threads of Node's own, with an engine each.
  _launchWorkers(onEnd) {
    const total = { answered: 0, bytes: 0 }
    const ticker = this._makeTicker(() => total)
    this._workers = runWorkers(this._opts, {
      onTick: ({ counter, bytes }) => {
        total.answered += counter
        total.bytes += bytes
      },
      onReqError: (error) => emitAndGoOn(this._tracker, 'reqError', error)
    }, (error, states, resets) => {
      if (error) {
        ticker.stop()
        onEnd(error)
        return
      }
      this._finish(ticker, states, resets, onEnd)
    })
    if (this._stopped) this._workers.stop()
  }

  _makeTicker(progress) {
    return new Ticker(this._opts.sampleInt, progress,
      (tick) => emitAndGoOn(this._tracker, 'tick', tick))
  }

  _finish(ticker, states, resets, onEnd) {
    const partial = this._opts.skipAggregateResult
    const result = (partial ? partialResultOf : resultOf)(states, this._opts, resets)
    if (partial) ticker.finish(result.totalCompletedRequests, result.totalBytes)
    else ticker.finish(result.requests.total, result.throughput.total)
    onEnd(null, result)
  }
}

// What the options come to when all of them are looked at together.
function effective(given) {
  const opts = { ...given, url: withScheme(given.url || 'localhost') }
  if (!opts.connectionRate && opts.overallRate && opts.overallRate < opts.connections) {
    opts.connections = Math.max(Math.floor(opts.overallRate), 1)
  }
  return opts
}

/**
 * @param {object} given validated options
 * @throws {Error} connections that would have no request to send
 */
function checkTotals(given) {
  const { amount, connections } = effective(given)
  if (amount && amount < connections) {
    throw new Error('connections cannot be greater than amount')
  }
}

function needsIsolates(opts) {
  if (!opts.workers) return false
  const requests = opts.requests || []
  return Boolean(opts.setupClient || opts.verifyBody ||
    requests.some((request) => request.setupRequest || request.onResponse))
}

module.exports = { Round, checkTotals }
