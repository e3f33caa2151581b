'use strict'

// A load test on the native engine: on threads of its own when there is nothing to call, turned by
// Node's loop when there is.

const binding = require('../native')
const { answerHeaders } = require('./answer_headers')
const { headerLines } = require('./loadtest_headers')
const { encodedPath } = require('./loadtest_target')
const { lostRequests } = require('./lost_requests')
const { Outcomes } = require('./outcomes')
const { RequestTexts, ownLines } = require('./request_texts')

// Longer than anybody waits, and what the engine can count in.
const LONGEST_MS = 3e12
// As many connections as a rate may come to need.
const MOST_ON_DEMAND = 65280

class EngineTest {
  /**
   * @param {import('./loadtest_settings').Settings} settings
   * @param {number} instanceIndex of the load test in this process
   * @throws {Error} what the engine refuses
   */
  constructor(settings, instanceIndex) {
    this._settings = settings
    this._outcomes = new Outcomes(settings, instanceIndex)
    this._makes = Boolean(settings.message.make || settings.index)
    this._hears = this._outcomes.hears
    this._inLoop = this._makes || this._hears
    this._error = null
    this._engine = new binding.Engine(this._spec(), this._inLoop ? this._hooks() : {})
    for (const line of this._engine.warnings) process.emitWarning(line, 'CarronadeWarning')
  }

  /** @returns {Promise<{state: Buffer, outcomes: Outcomes}>} when it is over */
  run() {
    return new Promise((resolve, reject) => {
      this._engine.run(this._inLoop, (state) => {
        if (this._error) reject(this._error)
        else resolve({ state, outcomes: this._outcomes })
      })
    })
  }

  stop() {
    this._engine.stop()
  }

  /** @returns {{told: import('./loadtest_report').Counts}} so far; told unless it is quiet */
  progress() {
    const progress = this._engine.progress()
    const { told } = progress
    if (!told) return progress
    return { ...progress, told: { ...told, errors: told.errors + this._outcomes.customErrors } }
  }

  _spec() {
    const settings = this._settings
    const { cores, keepAlive, maxRequests, maxSeconds, rate, tls } = settings
    const connections = settings.concurrency * cores
    const spec = {
      targets: [this._target()],
      connections,
      workers: Math.min(cores, connections),
      timeoutMs: settings.timeoutMs || LONGEST_MS,
      tls: {
        verify: tls.verify,
        cert: tls.cert,
        key: tls.key,
        minVersion: tls.versions[0],
        maxVersion: tls.versions[1]
      },
      told: !settings.quiet
    }
    if (maxRequests) spec.amount = maxRequests
    if (maxSeconds) spec.durationMs = Math.min(Math.max(maxSeconds * 1000, 1), LONGEST_MS)
    if (!keepAlive && !settings.websocket) spec.reconnectRate = 1
    // Its user waits for the connection too.
    spec.connectCounts = !settings.websocket
    if (settings.proxy) spec.proxy = { url: settings.proxy }
    return rate ? { ...spec, ...this._schedule(rate, cores) } : spec
  }

  // An open model: a client for each request that is due while no other is free.
  _schedule(rate, workers) {
    const { maxRequests, maxSeconds, timeoutMs } = this._settings
    const needed = [MOST_ON_DEMAND]
    if (timeoutMs) needed.push(rate * timeoutMs / 1000 + 2)
    if (maxSeconds) needed.push(rate * maxSeconds + 2)
    if (maxRequests) needed.push(maxRequests)
    const most = Math.max(Math.floor(Math.min(...needed)), 1)
    const threads = Math.min(workers, most)
    // How long answers are awaited behind the last request: until maxSeconds are over.
    const leftMs = maxRequests ? Math.max(maxSeconds - maxRequests / rate, 0) * 1000 : 0
    return {
      overallRate: rate,
      workers: threads,
      connections: threads,
      connectOnDemand: true,
      maxConnections: most,
      drainMs: maxSeconds ? leftMs : undefined
    }
  }

  _target() {
    const { headers, message, method, target } = this._settings
    const url = withoutFragment(target)
    const body = message.make ? '' : message.text
    if (this._settings.websocket) {
      const own = headerLines(headers).filter(([name]) => !HANDSHAKE.has(name.toLowerCase()))
      return { url, headers: own, body, binaryMessage: typeof body !== 'string' }
    }
    const lines = [...headerLines(headers),
      // The engine asks the proxy itself.
      ...ownLines({ ...this._settings, proxy: '' })]
    return { url, method, path: encodedPath(target.path), headers: lines, body }
  }

  _hooks() {
    const hooks = { heads: this._hears, bodies: this._hears ? 'string' : '' }
    const paths = []
    if (this._makes) {
      const texts = new RequestTexts(this._settings)
      hooks.frames = this._settings.websocket
      hooks.next = (connection) => this._guarded(null, () => {
        const text = texts.next()
        paths[connection] = texts.path
        return text
      })
    }
    if (this._hears) this._listen(hooks, paths)
    return hooks
  }

  _listen(hooks, paths) {
    const outcomes = this._outcomes
    const path = encodedPath(this._settings.target.path)
    hooks.response = (connection, status, bytes, ms, head, body) => this._guarded(true, () =>
      outcomes.answered({
        path: paths[connection] || path,
        statusCode: status,
        body,
        headers: answerHeaders(head || ''),
        requestElapsed: ms
      }))
    hooks.loss = (connection, kind, text, requests) => this._guarded(undefined, () => {
      const row = { kind, count: Math.max(requests, 1), requests }
      for (let left = lostRequests(row, outcomes.count); left > 0; --left) outcomes.lost(kind, text)
    })
  }

  // What the user's functions throw ends the test, and is its error.
  _guarded(otherwise, call) {
    if (this._error) return otherwise
    try {
      return call()
    } catch (error) {
      this._error = error
      this._engine.stop()
      return otherwise
    }
  }
}

// Of a WebSocket handshake the engine makes these itself.
const HANDSHAKE = new Set(['host', 'accept', 'connection', 'upgrade', 'content-type'])

function withoutFragment({ url }) {
  return url.replace(/#.*$/s, '')
}

module.exports = { EngineTest }
