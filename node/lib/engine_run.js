'use strict'

// One run of the engine: what setupClient and the first setupRequest do before it, which way it
// takes, and its state at the end. Without ticks and results, so that a worker thread can use it.

const binding = require('./native')
const { Client } = require('./client')
const { emitAndGoOn } = require('./emit')
const { engineMessage } = require('./engine_message')
const { warnOfLateListeners } = require('./late_listeners')
const { loopHooks, lossError } = require('./loop_hooks')
const { RequestList } = require('./request_list')
const { errorsOf } = require('./result')
const { engineSpec, requestsFor, requestDefaults } = require('./spec')
const { targetsOf } = require('./targets')
const { hasCallbacks, wantsOf } = require('./wants')

class EngineRun {
  /**
   * Calls setupClient for each connection in order, and setupRequest of each first request.
   * @param {object} opts validated; the run of one thread: functions, no paths
   * @param {import('events').EventEmitter} tracker gets `response`, `reqError`, `reqMismatch`
   * @throws {Error} what those throw; a request that cannot be sent; an invalid URL
   */
  constructor(opts, tracker) {
    this._opts = opts
    this._tracker = tracker
    this._targets = targetsOf(opts.url)
    this._clients = []
    this._sending = []
    this._engine = null
    this._progress = { sent: 0, answered: 0, bytes: 0, errors: 0 }
    this._stopped = false
    this._open = 0
    if (hasCallbacks(opts)) this._makeClients()
    else this._checkRequests()
  }

  /**
   * Decides by the listeners that are there now, and begins.
   * @param {(outcome: {state: Buffer, resets: number}) => void} onEnd when it is over
   * @throws {Error} what the engine refuses
   */
  launch(onEnd) {
    const opts = this._opts
    const wants = wantsOf(opts, this._tracker, this._clients)
    this._wants = wants
    if (wants.inLoop && this._clients.length === 0) this._makeClients()
    this._chooseSending()
    const { connections, targets } = this._share()
    const spec = engineSpec({ ...opts, connections }, targets, {
      inLoop: wants.inLoop,
      ownRequests: wants.requests,
      ownExpectation: wants.expectation
    })
    this._engine = engineOf(spec, wants.inLoop ? this._loopHooks() : this._threadHooks(), opts)
    for (const line of this._engine.warnings) process.emitWarning(line, 'CarronadeWarning')
    if (this._stopped) this._engine.stop()
    this._engine.run(wants.inLoop, (state) => this._ended(state, onEnd))
    this._unwatch = warnOfLateListeners(this._tracker, this._clients, wants)
  }

  /** Ends the run, at any time. */
  stop() {
    this._stopped = true
    if (this._engine) this._engine.stop()
  }

  /** @returns {{sent: number, answered: number, bytes: number, errors: number}} so far */
  progress() {
    return this._engine ? this._engine.progress() : this._progress
  }

  _ended(state, onEnd) {
    this._unwatch()
    // The engine holds its hooks, and through them all of this.
    this._progress = this._engine.progress()
    this._engine = null
    if (this._wants.inLoop && this._progress.sent === 0) this._tellUnresolved(state)
    let resets = 0
    for (const client of this._clients) resets += client.resets
    for (const client of this._clients) client.finish()
    onEnd({ state, resets })
  }

  // Names are looked up before there is a connection that could be lost.
  _tellUnresolved(state) {
    if (this._tracker.listenerCount('reqError') === 0) return
    for (const { kind, text } of errorsOf(state)) {
      if (kind === 'resolve_failed') emitAndGoOn(this._tracker, 'reqError', lossError(kind, text))
    }
  }

  // A client that was destroyed before the start has no connection, and the others send its part.
  _chooseSending() {
    const left = this._clients.filter((client) => !client.destroyed)
    // With none the run is stopped already.
    this._sending = left.length > 0 ? left : this._clients
    for (const [slot, client] of this._sending.entries()) client.slot = slot
  }

  _share() {
    const { connections } = this._opts
    const sending = this._sending
    if (sending.length === this._clients.length) return { connections, targets: this._targets }
    const targetOf = ({ index }) => this._targets[index % this._targets.length]
    return {
      connections: sending.length,
      targets: this._targets.length > 1 ? sending.map(targetOf) : this._targets
    }
  }

  _makeClients() {
    const opts = this._opts
    const count = {
      asked: 0,
      limit: opts.amount || (!opts.maxConnectionRequests && opts.maxOverallRequests) || Infinity,
      limitEach: (!opts.amount && opts.maxConnectionRequests) || Infinity
    }
    const settings = this._targets.map((target, index) =>
      ({ ...this._clientSettings(target, index), count }))
    this._open = opts.connections
    for (let i = 0; i < opts.connections; ++i) {
      const client = new Client(settings[i % settings.length], i)
      this._clients.push(client)
      if (opts.setupClient) opts.setupClient(client)
      client.prefetch(firstRequests(opts, i))
    }
  }

  _clientSettings(target, index) {
    const opts = this._opts
    const defaults = requestDefaults(opts, target)
    return {
      list: {
        defaults,
        target,
        requests: requestsFor(opts, target),
        initialContext: opts.initialContext,
        ids: Boolean(opts.idReplacement)
      },
      shown: { ...opts, ...defaults, url: target.url, target: index },
      onDestroy: (client) => this._destroyed(client)
    }
  }

  // Static requests are made by the engine; a mistake in one shows now all the same.
  _checkRequests() {
    // With placeholders in them they are not yet what is sent.
    if (this._opts.template || this._opts.data) return
    for (const [index, target] of this._targets.entries()) {
      new RequestList(this._clientSettings(target, index).list)
    }
  }

  _destroyed(client) {
    if (this._engine) this._engine.destroy(client.slot)
    if (client.closed) return
    client.closed = true
    this._open -= 1
    if (this._open === 0) this.stop()
  }

  _loopHooks() {
    return loopHooks({
      opts: this._opts,
      tracker: this._tracker,
      clients: this._sending,
      wants: this._wants
    })
  }

  _threadHooks() {
    const tracker = this._tracker
    return {
      error(kind, text, count) {
        if (tracker.listenerCount('reqError') === 0) return
        const error = lossError(kind, text)
        for (let i = 0; i < count; ++i) tracker.emit('reqError', error)
      }
    }
  }
}

function engineOf(spec, hooks, opts) {
  try {
    return new binding.Engine(spec, hooks)
  } catch (error) {
    error.message = engineMessage(error.message, opts)
    throw error
  }
}

// As many as are sent before the first answer, and not more than are this connection's.
function firstRequests(opts, index) {
  const limits = [opts.pipelining]
  if (opts.amount) limits.push(part(opts.amount, opts.connections, index))
  else if (opts.maxConnectionRequests) limits.push(opts.maxConnectionRequests)
  else if (opts.maxOverallRequests) {
    limits.push(part(opts.maxOverallRequests, opts.connections, index))
  }
  const rate = opts.connectionRate || part(opts.overallRate, opts.connections, index)
  if (opts.connectionRate || opts.overallRate) limits.push(Math.max(Math.floor(rate), 1))
  return Math.min(...limits)
}

const part = (total, parts, index) =>
  Math.floor(total / parts) + (index < total % parts ? 1 : 0)

module.exports = { EngineRun }
