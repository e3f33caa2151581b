'use strict'

// A load test whose requests are made by the user's requestGenerator with Node's own client. The
// engine's recorder times and counts them.

const http = require('http')
const https = require('https')
const binding = require('../native')
const { faultOf } = require('./client_faults')
const { encodedPath } = require('./loadtest_target')
const { cutAt } = require('./index_param')
const { randomUUID } = require('crypto')
const { Outcomes } = require('./outcomes')

const LONGEST_TIMER_MS = 2 ** 31 - 1
// Node's timers count in whole milliseconds: what is due sooner is waited for turn by turn.
const TIMER_MS = 1.2
const MOST_IN_FLIGHT = 10000
const LONGEST_PAUSE_MS = 100
const SEEN = Symbol('seen by a load test')

class GeneratorTest {
  /**
   * @param {import('./loadtest_settings').Settings} settings
   * @param {number} instanceIndex
   */
  constructor(settings, instanceIndex) {
    const { cores, concurrency, maxRequests, maxSeconds, rate } = settings
    this._settings = settings
    this._outcomes = new Outcomes(settings, instanceIndex)
    this._limit = maxRequests || Infinity
    this._clients = concurrency * cores
    this._recorder = new binding.Recorder({
      amount: maxRequests,
      connections: this._clients,
      rate,
      durationMs: maxSeconds ? maxSeconds * 1000 : undefined
    })
    const secure = settings.target.scheme === 'https'
    const library = secure ? https : http
    this._client = library.request
    this._agent = new library.Agent({ keepAlive: settings.keepAlive, maxFreeSockets: Infinity })
    const connect = this._agent.createConnection
    const connected = secure ? 'secureConnect' : 'connect'
    this._agent.createConnection = (...args) => {
      const socket = connect.apply(this._agent, args)
      socket.once(connected, () => this._follow(socket))
      return socket
    }
    this._options = requestOptions(settings, this._agent)
    this._path = settings.index ? cutAt(settings.target.path, settings.index.finder) : null
    this._told = { answered: 0, errors: 0, lost: 0, latencyMs: 0 }
    this._asked = 0
    this._opened = 0
    this._failures = 0
    this._flights = new Set()
    this._timers = new Set()
    this._over = false
  }

  /** @returns {Promise<{state: Buffer, outcomes: Outcomes}>} when it is over */
  run() {
    const { maxSeconds, rate, timeoutMs } = this._settings
    return new Promise((resolve, reject) => {
      this._resolve = resolve
      this._reject = reject
      this._recorder.start()
      if (maxSeconds) this._after(maxSeconds * 1000, () => this._finish('duration'))
      if (timeoutMs) this._sweep = setInterval(() => this._endOverdue(), sweepMs(timeoutMs))
      if (rate) this._sendDue()
      else for (let i = 0; i < this._clients; ++i) this._send()
    })
  }

  stop() {
    this._finish('user')
  }

  /** @returns {{told: import('./loadtest_report').Counts}} so far */
  progress() {
    return { ...this._recorder.progress(), told: { ...this._told } }
  }

  _after(ms, call) {
    const timer = setTimeout(() => {
      this._timers.delete(timer)
      call()
    }, Math.min(ms, LONGEST_TIMER_MS))
    this._timers.add(timer)
  }

  // Open loop: what is due, then again when the next one is.
  _sendDue() {
    while (!this._over && this._recorder.dueIn() <= 0) {
      if (this._flights.size < MOST_IN_FLIGHT) this._send()
      else this._refuse()
    }
    if (this._over) return
    const ms = this._recorder.dueIn()
    if (ms === Infinity) this._checkEnd()
    else if (ms > TIMER_MS) this._after(Math.floor(ms - TIMER_MS / 2), () => this._sendDue())
    else setImmediate(() => this._sendDue())
  }

  _refuse() {
    this._asked += 1
    this._recorder.refuse()
  }

  _send() {
    if (this._over || this._asked >= this._limit) return
    this._asked += 1
    const flight = {
      ticket: this._recorder.send(), startMs: performance.now(), request: null, over: false
    }
    this._flights.add(flight)
    try {
      this._generate(flight)
    } catch (error) {
      this._fail(error)
    }
  }

  _generate(flight) {
    const options = { ...this._options, headers: { ...this._options.headers } }
    const { index, params, requestGenerator } = this._settings
    const place = index ? String(index.next()) : ''
    if (this._path) options.path = this._path.map(encodedPath).join(encodedPath(place))
    const made = requestGenerator(params, options, this._client,
      (response) => this._receive(flight, response))
    if (made && typeof made.then === 'function') {
      made.then((request) => this._launch(flight, request, place))
        .catch((error) => this._fail(error))
    } else {
      this._launch(flight, made, place)
    }
  }

  _launch(flight, request, place) {
    if (!request || typeof request.on !== 'function' || typeof request.end !== 'function') {
      throw new Error('requestGenerator must return the request: return client(options, callback)')
    }
    flight.request = request
    request.on('error', (error) => this._lose(flight, error))
    // It was late, or the run has ended meanwhile.
    if (flight.over || this._over) return request.destroy()
    if (request.writableEnded) return
    const body = this._bodyFor(place)
    if (body.length === 0) return request.end()
    const framed = request.headersSent || request.hasHeader('content-length') ||
      request.hasHeader('transfer-encoding')
    if (!framed) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.end(body)
  }

  _bodyFor(place) {
    const { index, message } = this._settings
    const body = message.make ? message.make(randomUUID()) : message.text
    if (!index || typeof body !== 'string') return body
    return cutAt(body, index.finder).join(place)
  }

  _receive(flight, response) {
    if (flight.over) return
    this._recorder.firstByte(flight.ticket)
    const { socket } = response
    // A connection of an agent of the user's own is noticed only now.
    if (socket && socket[SEEN] === undefined) this._follow(socket)
    const before = socket ? socket[SEEN] : 0
    const chunks = this._outcomes.hears ? [] : null
    let bytes = 0
    response.on('data', (chunk) => {
      bytes += chunk.length
      if (chunks) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    })
    response.on('error', (error) => this._lose(flight, error, 'truncated_response'))
    response.on('end', () => {
      const read = socket ? socket.bytesRead - before : bytes
      if (socket) socket[SEEN] = socket.bytesRead
      this._answer(flight, response, bytes, read, chunks)
    })
  }

  // SEEN: how much of what the connection has read belongs to answers before.
  _follow(socket) {
    socket[SEEN] = 0
    this._recorder.opened(this._opened >= this._clients)
    this._opened += 1
    socket.once('close', () => {
      this._recorder.bytesSent(socket.bytesWritten)
      this._recorder.closed()
    })
  }

  _answer(flight, response, bytes, read, chunks) {
    const ms = this._recorder.answered(flight.ticket, response.statusCode, bytes, read)
    if (ms < 0) return
    this._failures = 0
    this._told.answered += 1
    this._told.latencyMs += ms
    if (response.statusCode >= 400) this._told.errors += 1
    const { request } = flight
    this._end(flight)
    if (chunks) {
      this._tell(() => this._outcomes.answered({
        host: hostOf(request, this._settings),
        path: request ? request.path : this._options.path,
        method: request ? request.method : this._settings.method,
        statusCode: response.statusCode,
        body: Buffer.concat(chunks).toString(),
        headers: response.headers,
        labels: request ? request.labels : undefined,
        requestElapsed: ms
      }))
    }
    // Only then does the agent have the connection back.
    process.nextTick(() => this._next())
  }

  _lose(flight, error, cut) {
    const fault = faultOf(error, cut)
    if (this._recorder.failed(flight.ticket, fault.kind, fault.phase, fault.text) < 0) return
    this._told.lost += 1
    this._end(flight)
    this._tell(() => this._outcomes.lost(fault.kind, fault.text))
    // Not in a busy loop where nobody listens.
    this._failures += 1
    const pause = Math.min(2 ** Math.min(this._failures, 20), LONGEST_PAUSE_MS)
    if (fault.unconnected && !this._settings.rate) this._after(pause, () => this._next())
    else process.nextTick(() => this._next())
  }

  _endOverdue() {
    const { timeoutMs } = this._settings
    const limit = performance.now() - timeoutMs
    for (const flight of this._flights) {
      if (flight.startMs > limit) break
      this._lose(flight, Object.assign(new Error(`no answer within ${timeoutMs} ms`),
        { code: 'CARRONADE_TIMEOUT' }))
      if (flight.request) flight.request.destroy()
    }
  }

  _end(flight) {
    flight.over = true
    this._flights.delete(flight)
  }

  _next() {
    if (this._over) return
    if (!this._settings.rate) this._send()
    this._checkEnd()
  }

  _checkEnd() {
    if (this._over || this._flights.size > 0) return
    if (this._asked >= this._limit) this._finish('amount')
  }

  // What the user's functions throw ends the test, and is its error.
  _tell(call) {
    try {
      call()
    } catch (error) {
      this._fail(error)
    }
  }

  _fail(error) {
    if (this._over) return
    this._error = error
    this._finish('user')
  }

  _finish(why) {
    if (this._over) return
    this._over = true
    const sockets = [this._agent.sockets, this._agent.freeSockets].flatMap((lists) =>
      Object.values(lists).flat())
    for (const socket of new Set(sockets)) {
      if (socket[SEEN] !== undefined) this._recorder.bytesSent(socket.bytesWritten)
    }
    const state = this._recorder.finish(why)
    clearInterval(this._sweep)
    for (const timer of this._timers) clearTimeout(timer)
    for (const { request } of this._flights) if (request) request.destroy()
    this._agent.destroy()
    if (this._error) this._reject(this._error)
    else this._resolve({ state, outcomes: this._outcomes })
  }
}

const sweepMs = (timeoutMs) => Math.min(Math.max(timeoutMs / 20, 5), 100)

function hostOf(request, { target }) {
  return request && request.host ? request.host : target.hostname
}

// As Node's http.request takes them: with what url.parse() gave, which generators look at.
function requestOptions({ headers, method, target, tls }, agent) {
  const path = encodedPath(target.path)
  const [pathname, ...search] = path.split('?')
  const options = {
    protocol: `${target.scheme}:`,
    slashes: true,
    auth: target.auth || null,
    host: target.host,
    hostname: target.hostname,
    port: target.port || null,
    hash: null,
    search: search.length > 0 ? `?${search.join('?')}` : null,
    query: search.length > 0 ? search.join('?') : null,
    pathname,
    path,
    href: target.url,
    headers,
    agent,
    method
  }
  if (target.scheme !== 'https') return options
  const { cert, key, secureProtocol, verify } = tls
  options.rejectUnauthorized = verify
  if (cert) Object.assign(options, { cert, key })
  if (secureProtocol) options.secureProtocol = secureProtocol
  return options
}

module.exports = { GeneratorTest }
