'use strict'

// Requests as the text that the engine sends, one a call: for bodies and paths that differ.

const { randomUUID } = require('crypto')
const { bodyFiller, cutAt } = require('./index_param')
const { headerLines } = require('./loadtest_headers')
const { encodedPath } = require('./loadtest_target')

/** Makes the requests of one load test. */
class RequestTexts {
  /** @param {import('./loadtest_settings').Settings} settings */
  constructor(settings) {
    const { index, message, method, target } = settings
    this._index = index
    this._make = message.make
    this._finder = index ? index.finder : null
    const path = index ? cutAt(target.path, index.finder) : [target.path]
    this._path = path.map(encodedPath)
    this._fill = index ? bodyFiller(message.text, index.finder) : () => message.text
    this._websocket = settings.websocket
    this._base = this._websocket ? '' : originFor(settings)
    this._method = method
    this._lines = linesOf(settings)
    this._head = this._path.length === 1 ? this._headFor(this._path[0]) : ''
    this._always = ['POST', 'PUT', 'PATCH'].includes(method)
    /** The path of the request that next() gave last. */
    this.path = this._path[0]
  }

  /**
   * @returns {string | Buffer} a whole request; for a WebSocket a message
   * @throws {Error} what the user's functions throw
   */
  next() {
    const index = this._index ? String(this._index.next()) : ''
    if (this._websocket) return this._nextBody(index)
    const head = this._nextHead(index)
    const body = this._nextBody(index)
    if (body.length === 0) return this._always ? head + 'Content-Length: 0\r\n\r\n' : head + '\r\n'
    const start = `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    return typeof body === 'string' ? start + body : Buffer.concat([Buffer.from(start), body])
  }

  _nextHead(index) {
    if (this._path.length === 1) return this._head
    this.path = this._path.join(encodedPath(index))
    return this._headFor(this.path)
  }

  _headFor(path) {
    return `${this._method} ${this._base}${path} HTTP/1.1\r\n${this._lines}`
  }

  _nextBody(index) {
    if (this._make === null) return this._fill(index)
    const body = this._make(randomUUID())
    return this._finder === null ? body : bodyFiller(body, this._finder)(index)
  }
}

// What is for an http target is asked of a proxy in absolute form.
function originFor({ proxy, target }) {
  return proxy && target.scheme === 'http' ? `http://${target.host}` : ''
}

function linesOf(settings) {
  const lines = [...headerLines(settings.headers), ...ownLines(settings)]
  return lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

/**
 * @param {import('./loadtest_settings').Settings} settings
 * @returns {[string, string][]} what Node's client would add
 */
function ownLines({ headers, keepAlive, proxy, target }) {
  const lines = []
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  if (target.auth && !given.has('authorization')) {
    lines.push(['Authorization', basic(target.auth)])
  }
  if (!given.has('connection')) lines.push(['Connection', keepAlive ? 'keep-alive' : 'close'])
  if (proxy && target.scheme === 'http') {
    const { username, password } = new URL(proxy)
    const auth = [username, password].map(decodeURIComponent).join(':')
    if (username || password) lines.push(['Proxy-Authorization', basic(auth)])
  }
  return lines
}

const basic = (auth) => `Basic ${Buffer.from(auth).toString('base64')}`

module.exports = { RequestTexts, ownLines }
