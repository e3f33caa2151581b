'use strict'

// A load test whose requests are made by the user's requestGenerator with Node's own client. The
// engine's recorder times and counts them.

const { randomUUID } = require('crypto')
const http = require('http')
const https = require('https')
const binding = require('../native')
const { faultOf } = require('./client_faults')
const { Flight, FlightList } = require('./flight_list')
const { FollowedSockets } = require('./followed_sockets')
const { bodyFiller, cutAt } = require('./index_param')
const { encodedPath } = require('./loadtest_target')
const { Outcomes } = require('./outcomes')
const { launch, readAnswer, watch } = require('./watched_request')

const LONGEST_TIMER_MS = 2 ** 31 - 1
// Node's timers count in whole milliseconds: what is due sooner is waited for turn by turn.
const TIMER_MS = 1.2
// Answers, timers and signals wait while requests are sent: no more of them, and no longer, a turn.
const MOST_A_TURN = 16
const TURN_MS = 1
const MOST_IN_FLIGHT = 10000
const LONGEST_PAUSE_MS = 100
// How long a generator may keep an answer that is complete before it calls back.
const KEPT_ANSWER_MS = 5000

class GeneratorTest {
  /**
   * @param {import('./loadtest_settings').Settings} settings
   * @param {number} instanceIndex
   */
  constructor(settings, instanceIndex) {
    const { cores, concurrency, index, maxRequests, maxSeconds, message, rate } = settings
    this._settings = settings
    this._outcomes = new Outcomes(settings, instanceIndex)
    this._limit = maxRequests || Infinity
    this._clients = concurrency * cores
    this._recorder = new binding.Recorder({
      amount: maxRequests,
      // An open loop has as many as it comes to need.
      connections: rate ? 1 : this._clients,
      rate,
      durationMs: maxSeconds ? maxSeconds * 1000 : undefined
    })
    this._sockets = new FollowedSockets(this._recorder, rate ? 0 : this._clients)
    this._made = null
    this._client = this._clientFor(settings.target.scheme === 'https' ? https : http)
    this._options = requestOptions(settings, this._agent)
    this._path = index ? cutAt(settings.target.path, index.finder) : null
    this._fill = index && !message.make ? bodyFiller(message.text, index.finder) : null
    this._told = { answered: 0, errors: 0, lost: 0, latencyMs: 0 }
    this._asked = 0
    this._failures = 0
    this._flights = new FlightList()
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
      this._startMs = performance.now()
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

  // The agent sees requests that are made with http.request itself, the function those that are
  // given to an agent of the user's.
  _clientFor(library) {
    const { keepAlive } = this._settings
    const agent = new library.Agent({ keepAlive, maxFreeSockets: Infinity })
    const { addRequest, createConnection } = agent
    agent.addRequest = (request, options, port, localAddress) => {
      this._made = watch(request)
      return addRequest.call(agent, request, options, port, localAddress)
    }
    agent.createConnection = (options, made) => {
      const socket = createConnection.call(agent, options, made)
      if (socket) this._sockets.follow(socket)
      return socket
    }
    this._agent = agent
    this._onSocket = (socket) => this._sockets.follow(socket)
    const request = (url, options, callback) => {
      this._made = watch(library.request(url, options, callback))
      return this._made
    }
    return request
  }

  _after(ms, call) {
    const timer = setTimeout(() => {
      this._timers.delete(timer)
      if (ms > LONGEST_TIMER_MS) this._after(ms - LONGEST_TIMER_MS, call)
      else call()
    }, Math.min(ms, LONGEST_TIMER_MS))
    this._timers.add(timer)
  }

  // Open loop: what is due, then again when the next one is.
  _sendDue() {
    const untilMs = performance.now() + TURN_MS
    for (let sent = 0; !this._over && this._recorder.dueIn() <= 0; ++sent) {
      if (sent >= MOST_A_TURN || performance.now() >= untilMs) break
      if (this._flights.size < MOST_IN_FLIGHT) this._send()
      else this._refuse()
    }
    if (this._over) return
    const ms = this._recorder.dueIn()
    if (ms === Infinity) this._checkEnd()
    else if (ms > TIMER_MS) this._after(Math.floor(ms - TIMER_MS / 2), () => this._sendDue())
    else setImmediate(sendDue, this)
  }

  _refuse() {
    this._asked += 1
    this._recorder.refuse()
  }

  _send() {
    if (this._over || this._asked >= this._limit) return
    this._asked += 1
    const flight = new Flight(this, this._recorder.send())
    this._flights.add(flight)
    this._made = null
    try {
      this._generate(flight)
    } catch (error) {
      // It was made, and is in nobody's hands.
      if (this._made && !flight.request) this._made.destroy()
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
      Promise.resolve(made).then((request) => this._launch(flight, request, place))
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
    launch(request, flight)
    // It was late, or the run has ended meanwhile.
    if (flight.over || this._over) return request.destroy()
    if (request.agent !== this._agent) this._followLater(request)
    if (request.writableEnded) return
    const body = this._bodyFor(place)
    if (body.length === 0) return request.end()
    const framed = request.headersSent || request.hasHeader('content-length') ||
      request.hasHeader('transfer-encoding')
    if (!framed) request.setHeader('Content-Length', Buffer.byteLength(body))
    request.end(body)
  }

  // Its agent is not ours.
  _followLater(request) {
    if (request.socket) this._sockets.follow(request.socket)
    else request.once('socket', this._onSocket)
  }

  _bodyFor(place) {
    const { index, message } = this._settings
    if (!message.make) return this._fill ? this._fill(place) : message.text
    const body = message.make(randomUUID())
    return index ? bodyFiller(body, index.finder)(place) : body
  }

  _receive(flight, response) {
    if (flight.over || flight.response) return
    flight.response = response
    flight.socket = response.socket || null
    this._recorder.firstByte(flight.ticket)
    if (flight.socket) this._sockets.follow(flight.socket)
    if (this._outcomes.hears) flight.chunks = []
    // The generator has read it itself.
    if (response.readableEnded) this.answered(flight)
    else readAnswer(response, flight)
  }

  /** @param {Flight} flight its answer has come to its end */
  answered(flight) {
    const { bytes, chunks, request, response, socket } = flight
    const read = socket ? this._sockets.readBy(socket) : bytes
    const ms = this._recorder.answered(flight.ticket, response.statusCode, bytes, read)
    if (ms < 0) return
    this._failures = 0
    this._told.answered += 1
    this._told.latencyMs += ms
    if (response.statusCode >= 400) this._told.errors += 1
    this._end(flight)
    if (chunks) {
      this._tell(() => this._judge({
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
    process.nextTick(goOn, this)
  }

  _judge(answer) {
    if (!this._outcomes.answered(answer)) this._told.errors += 1
  }

  /**
   * @param {Flight} flight it ends without its answer
   * @param {Error} error
   * @param {string} [cut] see faultOf
   */
  failed(flight, error, cut) {
    if (flight.over) return
    const fault = faultOf(error, cut)
    if (this._recorder.failed(flight.ticket, fault.kind, fault.phase, fault.text) < 0) return
    this._told.lost += 1
    this._end(flight)
    this._tell(() => this._outcomes.lost(fault.kind, fault.text))
    this._failures += 1
    const pause = Math.min(2 ** Math.min(this._failures, 20), LONGEST_PAUSE_MS)
    // Not in a busy loop where nobody listens, and not without a turn of Node's for the others.
    if (fault.unconnected && !this._settings.rate) this._after(pause, () => this._next())
    else setImmediate(goOn, this)
  }

  /** @param {Flight} flight nothing more comes on its request */
  closed(flight) {
    if (flight.over || this._over) return
    const { request, response } = flight
    const lose = (text) => this.failed(flight, Object.assign(new Error(text),
      { code: 'CARRONADE_CLOSED' }))
    if (response) {
      // What has been received is still being read: its own events end it.
      if (response.closed) lose('the answer was destroyed before its end')
      else response.once('close', () => lose('the answer was destroyed before its end'))
    } else if (request && request.res && request.res.complete && !request.res.upgrade) {
      // The generator looks at it first, or goes on to another request.
      this._after(KEPT_ANSWER_MS, () => lose('requestGenerator did not call back with the answer'))
    } else {
      lose(request && request.res && request.res.upgrade
        ? `the server changed the protocol: ${request.res.statusCode}`
        : 'the request was closed without an answer')
    }
  }

  _endOverdue() {
    const { timeoutMs } = this._settings
    const limit = performance.now() - timeoutMs
    for (let flight = this._flights.oldest, newer; flight; flight = newer) {
      if (flight.startMs > limit) break
      newer = flight.newer
      this.failed(flight, Object.assign(new Error(`no answer within ${timeoutMs} ms`),
        { code: 'CARRONADE_TIMEOUT' }))
      if (flight.request) flight.request.destroy()
    }
  }

  _end(flight) {
    flight.over = true
    this._flights.remove(flight)
  }

  _next() {
    if (this._over) return
    if (!this._settings.rate) this._send()
    this._checkEnd()
  }

  _checkEnd() {
    if (this._over || this._flights.size > 0) return
    if (this._asked < this._limit) return
    // A rate is over when the interval behind its last request is: as in the engine.
    const { rate } = this._settings
    const leftMs = rate ? this._limit * 1000 / rate - (performance.now() - this._startMs) : 0
    if (leftMs > 0) this._after(leftMs, () => this._checkEnd())
    else this._finish('amount')
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
    this._sockets.finish()
    const state = this._recorder.finish(why)
    clearInterval(this._sweep)
    for (const timer of this._timers) clearTimeout(timer)
    for (let flight = this._flights.oldest; flight; flight = flight.newer) {
      if (flight.request) flight.request.destroy()
    }
    this._agent.destroy()
    if (this._error) this._reject(this._error)
    else this._resolve({ state, outcomes: this._outcomes })
  }
}

const goOn = (test) => test._next()
const sendDue = (test) => test._sendDue()
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
