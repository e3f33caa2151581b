'use strict'

// carronade(opts[, cb]): from the options to the result, over warm-up and rounds.

const { EventEmitter } = require('events')
const { emitAndGoOn } = require('./emit')
const { Round, checkTotals } = require('./round')
const { track } = require('./track')
const { validate } = require('./validate')

const INTERNAL = Symbol.for('internal')

/**
 * Starts a run. What is wrong with the options is told before this returns.
 *
 * @param {object} opts never changed
 * @param {(error: Error|null, result?: object) => void} [cb]
 * @returns {EventEmitter} with `opts` and `stop()`; without cb and `forever` it has `then` and
 *     `catch`, too. Events: start, tick, response, reqError, reqMismatch, done, error
 * @throws {Error} with a callback: fewer requests than connections, an invalid URL, a request
 *     that cannot be made, or what setupClient throws
 */
function carronade(opts, cb) {
  const tracker = new EventEmitter()
  tracker.stop = () => {}
  if (typeof cb === 'function') {
    begin(tracker, opts, true, cb)
  } else if (opts && opts.forever) {
    begin(tracker, opts, false, (error) => {
      if (error) setImmediate(() => tracker.emit('error', error))
    })
  } else {
    const promise = new Promise((resolve, reject) => {
      begin(tracker, opts, false, (error, result) => error ? reject(error) : resolve(result))
    })
    tracker.then = promise.then.bind(promise)
    tracker.catch = promise.catch.bind(promise)
  }
  return tracker
}

function begin(tracker, given, callbackGiven, callback) {
  const opts = validate(given, callbackGiven)
  if (opts instanceof Error) return callback(opts)
  tracker.opts = opts
  if (opts.warmup && !opts.forever) return warmUp(tracker, given, opts, callback)
  rounds(tracker, opts, (error, result) => {
    if (error) return callback(error)
    report(tracker, opts, result, callback)
  })
}

// A run of its own before the run, whose result is that run's `warmup`.
function warmUp(tracker, given, opts, callback) {
  checkTotals(opts)
  const own = { ...given, ...given.warmup, warmupRunning: true, renderResultsTable: false }
  if (given.warmup.duration !== undefined && given.warmup.amount === undefined) delete own.amount
  delete own.warmup
  const warmTracker = new EventEmitter()
  // Options of the warm-up that are not valid leave it at this.
  warmTracker.stop = () => {}
  let stopped = false
  tracker.stop = () => {
    stopped = true
    warmTracker.stop()
  }
  begin(warmTracker, own, false, (error, warmup) => {
    if (error) return callback(error)
    try {
      rounds(tracker, opts, (failure, result) => {
        if (failure) return callback(failure)
        result.warmup = warmup
        report(tracker, opts, result, callback)
      })
    } catch (failure) {
      return callback(failure)
    }
    if (stopped) tracker.stop()
  })
}

function report(tracker, opts, result, callback) {
  emitAndGoOn(tracker, 'done', result)
  callback(null, result)
  if (opts.json) console.log(JSON.stringify(result))
}

function showError(error) {
  if (error.kind !== 'timeout') console.error(error)
}

// One round, or with `forever` one after the other until stop().
function rounds(tracker, opts, callback) {
  let stopped = false
  let round = new Round(tracker, opts)
  tracker.stop = () => {
    stopped = true
    round.stop()
  }
  if (opts[INTERNAL] && !opts.json) track(tracker, opts)
  if (opts.debug) tracker.on('reqError', showError)
  const ended = (error, result) => {
    callback(error, result)
    if (error || !opts.forever) return
    setImmediate(() => {
      if (stopped) return
      round = new Round(tracker, opts)
      round.begin(ended)
    })
  }
  round.begin(ended)
}

module.exports = { carronade }
