'use strict'

// One connection as the user sees it: what setupClient and `response` listeners are given.

const { EventEmitter } = require('events')
const { emitAndGoOn } = require('./emit')
const { RequestList } = require('./request_list')

/**
 * Events: `request`, `headers` ({statusCode, statusMessage, headers: [name, value, …]}), `body`
 * (Buffer, not empty), `trailers` ([name, value, …]), `response` (status, bytes, ms, rate),
 * `mismatch` (body), `reset`, `timeout`, `connError` (Error), `done`.
 */
class Client extends EventEmitter {
  /**
   * @param {object} settings of its target's list, and for the client itself
   * @param {import('./request_list').ListSettings} settings.list
   * @param {object} settings.shown what the property `opts` has
   * @param {(client: Client) => void} settings.onDestroy
   * @param {{asked: number, limit: number, limitEach: number}} settings.count of requests made,
   *     in all of the run's clients
   * @param {number} index in the numbering of the run
   */
  constructor(settings, index) {
    super()
    this.opts = { ...settings.shown }
    this.destroyed = false
    this.requestIterator = new RequestList(settings.list)
    this.index = index
    /** Its number in the engine, which has none for those destroyed before the start. */
    this.slot = index
    this.resets = 0
    this._onDestroy = settings.onDestroy
    this._count = settings.count
    this._asked = 0
    this._ready = []
    this._inFlight = []
  }

  /** @returns {Buffer} the exact bytes of the request it is at */
  getRequestBuffer() {
    return Buffer.from(this.requestIterator.currentBytes)
  }

  /** @param {object} [headers] none: only those of the run */
  setHeaders(headers) {
    this._checkSetter()
    this.requestIterator.setHeaders(headers)
  }

  /** @param {string|Buffer} [body] none: no body */
  setBody(body) {
    this._checkSetter()
    this.requestIterator.setBody(body)
  }

  /**
   * @param {object} [headers]
   * @param {string|Buffer} [body]
   */
  setHeadersAndBody(headers, body) {
    this._checkSetter()
    this.requestIterator.setHeadersAndBody(headers, body)
  }

  /** @param {object} [request] method, path, headers, body; the rest is as in the run */
  setRequest(request) {
    this._checkSetter()
    this.requestIterator.setRequest(request)
  }

  /** @param {object[]} [requests] */
  setRequests(requests) {
    this._checkSetter()
    this.requestIterator.setRequests(requests)
  }

  /** Closes the connection for good. `done` comes at once, and no answer after it. */
  destroy() {
    if (this.destroyed) return
    this.destroyed = true
    // Others may send what is not on its way yet.
    this._count.asked -= this._ready.length
    this._ready = []
    this._onDestroy(this)
    this.emit('done')
  }

  /** For the run: it is over. */
  finish() {
    if (this.destroyed) return
    this.destroyed = true
    emitAndGoOn(this, 'done')
  }

  /**
   * For the run: takes `count` requests now, so that their setupRequest runs before the start.
   * @param {number} count
   */
  prefetch(count) {
    for (let i = 0; i < count && !this.destroyed; ++i) this._makeReady()
  }

  /**
   * For the run: an answer came, so that another request may go out. Of a pipeline several answers
   * come at once, and each has its next request made before the answer behind it is told.
   */
  makeNext() {
    const { asked, limit, limitEach } = this._count
    if (!this.destroyed && asked < limit && this._asked < limitEach) this._makeReady()
  }

  /**
   * For the run: the next request goes out.
   * @returns {string|Buffer} its bytes
   */
  take() {
    // Destroyed before there was a connection that could be closed.
    if (this.destroyed) this._onDestroy(this)
    if (this._ready.length > 0) {
      const { bytes, request } = this._ready.shift()
      this._inFlight.push(request)
      return bytes
    }
    this._advance()
    this._inFlight.push(this.requestIterator.currentRequest)
    return this.requestIterator.currentBytes
  }

  /**
   * For the run: the oldest request in flight is over.
   * @returns {object|undefined} undefined when the requests are not taken here
   */
  answered() {
    return this._inFlight.shift()
  }

  /**
   * For the run: that many requests got no answer.
   * @param {number} count
   */
  lost(count) {
    this._inFlight.splice(0, count)
  }

  _makeReady() {
    this._advance()
    const { currentBytes, currentRequest } = this.requestIterator
    this._ready.push({ bytes: currentBytes, request: currentRequest })
  }

  _advance() {
    this.emit('request')
    this._count.asked += 1
    this._asked += 1
    // The list begins at its first request.
    if (this._asked === 1) return
    this.requestIterator.next()
    if (!this.requestIterator.resetted) return
    this.resets += 1
    this.emit('reset')
  }

  _checkSetter() {
    if (this.opts.pipelining > 1) {
      throw new Error('cannot update requests when the piplining factor is greater than 1')
    }
  }
}

module.exports = { Client }
