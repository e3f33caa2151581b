'use strict'

// loadtest's test server on Node's own http, so that what the user gives sees Node's requests and
// responses. WebSocket messages come back as they were.

const fs = require('fs')
const http = require('http')
const util = require('util')
const { WebSocketServer } = require('ws')
const { ErrorShare } = require('./error_share')

const DEFAULT_PORT = 7357
const DEFAULT_STATUS = 500
const DEFAULT_BODY = 'OK'
const ERROR_BODY = 'ERROR'
const LINES_INTERVAL_MS = 5000
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024
// Messages of one client that wait to be sent back: beyond it no more are read.
const HELD_BYTES_MAX = 32 * 1024 * 1024
// How long a WebSocket client may take to answer a close.
const GOODBYE_MS = 1000
const GOING_AWAY = 1001

// The numbers among the options: whether one may be what it is.
const NUMBERS = {
  port: (n) => Number.isInteger(n) && n >= 0 && n <= 65535,
  delay: (n) => n >= 0 && n < 2 ** 31,
  error: (n) => n === 0 || (Number.isInteger(n) && n >= 200 && n <= 599),
  percent: (n) => n >= 0 && n <= 100
}

/**
 * @param {object} [options] see loadtest.d.ts; never changed
 * @param {(error: Error | null, server?: TestServer) => void} [callback]
 * @returns {Promise<TestServer> | TestServer | undefined} the server itself with a callback: it is
 *     up when that is called; nothing when it cannot be made
 */
function startServer(options, callback) {
  let server
  let up
  try {
    server = new TestServer(options || {})
    up = server.start()
  } catch (error) {
    up = Promise.reject(error)
  }
  if (typeof callback !== 'function') return up
  // Out of the promise, so that what the callback throws is its own affair.
  up.then(() => setImmediate(callback, null, server), (error) => setImmediate(callback, error))
  return server
}

function readNumber(options, name) {
  const given = options[name]
  if (given === undefined || given === null || given === '') return undefined
  const number = Number(given)
  if (NUMBERS[name](number)) return number
  throw new Error(`Invalid ${name}: ${util.inspect(given)}`)
}

function bodyBytes(body) {
  if (!body) return DEFAULT_BODY
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

class TestServer {
  /** @throws {Error} an option that cannot be, a file that cannot be read */
  constructor(options) {
    const error = readNumber(options, 'error')
    const percent = readNumber(options, 'percent')
    /** The one in use, once the server is up. */
    this.port = readNumber(options, 'port') ?? DEFAULT_PORT
    /** Requests and WebSocket messages so far. */
    this.totalRequests = 0
    this._delay = readNumber(options, 'delay') || 0
    this._status = error || DEFAULT_STATUS
    this._share = new ErrorShare(percent ?? (error ? 100 : 0))
    this._body = options.file ? fs.readFileSync(options.file) : bodyBytes(options.body)
    this._quiet = Boolean(options.quiet)
    this._logger = options.logger
    this._shouldErrorCustom = options.shouldErrorCustom
    this._linesAt = Date.now()
    this._requestsAtLines = 0
    this._closing = undefined
    this._server = http.createServer((request, response) => this._listen(request, response))
    this._sockets = new WebSocketServer(
      { noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX })
    this._server.on('upgrade', (...given) => this._upgrade(...given))
    this._connections = new Set()
    this._busy = new Set()
    this._server.on('connection', (socket) => this._connected(socket))
  }

  /** @returns {Promise<TestServer>} when it listens */
  start() {
    return new Promise((resolve, reject) => {
      this._server.once('error', (error) => reject(this._startError(error)))
      this._server.listen(this.port, () => {
        this.port = this._server.address().port
        if (!this._quiet) console.info(`Listening on http://localhost:${this.port}/`)
        resolve(this)
      })
    })
  }

  /**
   * Takes no more connections and ends the idle ones; requests that came are answered. Who has
   * asked nothing after a second is not waited for.
   * @param {(error?: Error) => void} [callback]
   * @returns {Promise<void>} when all connections have ended; never rejected
   */
  close(callback) {
    if (!this._closing) {
      this._closing = new Promise((resolve) => this._server.close(() => resolve()))
    }
    this._server.closeIdleConnections?.()
    for (const socket of this._sockets.clients) socket.close(GOING_AWAY)
    setTimeout(() => {
      for (const socket of this._connections) if (!this._busy.has(socket)) socket.destroy()
    }, GOODBYE_MS).unref()
    if (typeof callback === 'function') this._closing.then(() => setImmediate(callback))
    return this._closing
  }

  _connected(socket) {
    this._connections.add(socket)
    socket.once('close', () => this._connections.delete(socket))
  }

  _startError(error) {
    const text = error.code === 'EADDRINUSE'
      ? `Port ${this.port} in use, please free it and retry again`
      : `Could not start server on port ${this.port}: ${error.message}`
    return Object.assign(new Error(text), { code: error.code })
  }

  _listen(request, response) {
    const pieces = []
    const { socket } = request
    this._busy.add(socket)
    response.once('close', () => this._busy.delete(socket))
    request.on('data', (piece) => pieces.push(piece))
    request.on('error', () => response.destroy())
    request.on('end', () => {
      request.body = Buffer.concat(pieces).toString()
      this._count(request, request.body)
      this._later(() => this._answer(request, response))
    })
  }

  _answer(request, response) {
    if (this._closing) response.shouldKeepAlive = false
    if (this._fails(request)) {
      response.writeHead(this._status)
      response.end(ERROR_BODY)
    } else {
      response.end(this._body)
    }
    if (this._logger) this._logger(request, response)
  }

  _fails(request) {
    return Boolean(this._shouldErrorCustom && this._shouldErrorCustom(request)) ||
      this._share.next()
  }

  _upgrade(request, socket, head) {
    socket.on('error', () => socket.destroy())
    request.body = ''
    if (this._closing || this._fails(request)) {
      const text = http.STATUS_CODES[this._status] || ''
      socket.write(`HTTP/1.1 ${this._status} ${text}\r\nConnection: close\r\n` +
        `Content-Length: ${ERROR_BODY.length}\r\n\r\n${ERROR_BODY}`)
      // Without waiting for the client's end.
      socket.destroySoon()
      return
    }
    this._sockets.handleUpgrade(request, socket, head, (client) => this._echo(client))
  }

  _echo(client) {
    let held = 0
    client.on('error', () => {}) // a bad frame: the client has been told, and the close follows
    client.on('message', (message, binary) => {
      this._count(undefined, binary ? '' : message)
      held += message.length
      if (held > HELD_BYTES_MAX) client.pause()
      this._later(() => client.send(message, { binary }, () => {
        held -= message.length
        if (held <= HELD_BYTES_MAX) client.resume()
      }))
    })
  }

  _later(act) {
    if (this._delay > 0) setTimeout(act, this._delay)
    else act()
  }

  // One request for a person to look at, when none was shown for so long.
  _count(request, body) {
    this.totalRequests += 1
    const passed = Date.now() - this._linesAt
    if (this._quiet || passed <= LINES_INTERVAL_MS) return
    const rate = (this.totalRequests - this._requestsAtLines) * 1000 / passed
    if (rate > 1) console.info(`Requests per second: ${rate.toFixed(0)}`)
    if (request) {
      const headers = util.inspect(request.headers)
      console.info(`Headers for ${request.method} to ${request.url}: ${headers}`)
    }
    if (body.length > 0) console.info(`Body: ${body}`)
    this._linesAt = Date.now()
    this._requestsAtLines = this.totalRequests
  }
}

module.exports = { startServer }
