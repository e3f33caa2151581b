'use strict'

// A run whose callbacks are modules, in worker threads: each has an engine of its own and its own
// copy of the modules.

const path = require('path')
const { Worker } = require('worker_threads')
const { lossError } = require('./loop_hooks')
const { workerParts } = require('./worker_parts')

const WORKER_FILE = path.join(__dirname, 'worker_thread.js')

/**
 * Starts the threads; the run begins when all of them are ready.
 * @param {object} opts validated, with `workers`; callbacks are paths of modules
 * @param {object} listeners
 * @param {(tick: {counter: number, bytes: number}) => void} listeners.onTick answers and bytes
 *   since the last time, in any worker
 * @param {(error: Error) => void} listeners.onReqError
 * @param {(error: Error | null, states?: Buffer[], resets?: number) => void} onEnd called once:
 *   when all are over; or with an error when the options cannot be handed to a thread, a module
 *   cannot be loaded, a callback threw or a thread ended, and then the others are stopped
 * @returns {{stop: () => void}}
 */
function runWorkers(opts, listeners, onEnd) {
  return new WorkersRun(opts, listeners, onEnd)
}

class WorkersRun {
  constructor(opts, listeners, onEnd) {
    this._bailout = opts.bailout || Infinity
    this._listeners = listeners
    this._onEnd = onEnd
    this._members = []
    this._failed = false
    this._over = false
    this._stopped = false
    try {
      for (const part of workerParts(opts)) this._members.push(this._startMember(part))
    } catch (error) {
      const text = `the options cannot be handed to worker threads: ${error.message}`
      setImmediate(() => this._fail(new Error(text)))
    }
  }

  stop() {
    if (this._stopped) return
    this._stopped = true
    this._tellAll('stop')
  }

  _startMember(opts) {
    const worker = new Worker(WORKER_FILE, { workerData: { opts } })
    const member = { worker, ready: false, errors: 0, outcome: null }
    worker.on('message', (message) => this._hear(member, message))
    worker.on('error', (error) => this._fail(error))
    worker.on('exit', (code) => {
      if (member.outcome !== null) return
      this._fail(new Error(`a worker thread ended with ${code} before its run was over`))
    })
    return member
  }

  _hear(member, message) {
    if (this._failed) return
    if (message.ready) this._ready(member)
    if (message.tick) this._listeners.onTick(message.tick)
    for (const { kind, text } of message.losses || []) {
      this._listeners.onReqError(lossError(kind, text))
    }
    if (message.errors !== undefined) this._countErrors(member, message.errors)
    if (message.outcome) this._ended(member, message.outcome)
  }

  _ready(member) {
    member.ready = true
    if (this._members.every(({ ready }) => ready)) this._tellAll('start')
  }

  // Each worker stops at the limit by itself; here their sum is seen.
  _countErrors(member, errors) {
    member.errors = errors
    const sum = this._members.reduce((total, other) => total + other.errors, 0)
    if (sum >= this._bailout) this.stop()
  }

  _ended(member, { state, resets }) {
    member.outcome = { state: Buffer.from(state), resets }
    // A module of the user may keep its thread alive; that shall not keep the process alive.
    member.worker.unref()
    const outcomes = this._members.map(({ outcome }) => outcome)
    if (outcomes.includes(null)) return
    this._over = true
    this._onEnd(null, outcomes.map((outcome) => outcome.state),
      outcomes.reduce((sum, outcome) => sum + outcome.resets, 0))
  }

  _fail(error) {
    if (this._failed || this._over) return
    this._failed = true
    this._tellAll('abandon')
    for (const { worker } of this._members) worker.unref()
    this._onEnd(error)
  }

  _tellAll(command) {
    for (const { worker } of this._members) worker.postMessage(command)
  }
}

module.exports = { runWorkers }
