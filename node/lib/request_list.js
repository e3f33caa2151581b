'use strict'

// The requests of one connection, in turn, with the context that its callbacks share.

const { deepClone } = require('./deep_clone')
const { requestBytes } = require('./request_bytes')
const { idMaker } = require('./request_ids')

const isDynamic = (request) => typeof request.setupRequest === 'function'
const hasCallback = (request) => isDynamic(request) || typeof request.onResponse === 'function'

/**
 * What all connections to one target share.
 * @typedef {object} ListSettings
 * @property {object} defaults method, path, headers, body … of a request that has none
 * @property {import('./targets').Target} target
 * @property {object[]} requests
 * @property {object} [initialContext]
 * @property {boolean} ids replace [<id>]
 */

class RequestList {
  /** @param {ListSettings} settings */
  constructor(settings) {
    this._settings = settings
    this._nextId = settings.ids ? idMaker() : () => undefined
    /** Whether the last step began the list again because setupRequest gave nothing. */
    this.resetted = false
    this.resetContext()
    this.setRequests(settings.requests.map((request) =>
      hasCallback(request) ? deepClone(request) : { ...request }))
  }

  /** The request that was sent last, or will be the first. */
  get currentRequest() {
    return this._current.request
  }

  /** @returns {object[]} all of them */
  get requests() {
    return this._entries.map((entry) => entry.request)
  }

  /** @returns {string|Buffer} the bytes of the current one */
  get currentBytes() {
    return this._current.bytes
  }

  resetContext() {
    const { initialContext } = this._settings
    this.context = initialContext ? deepClone(initialContext) : {}
  }

  /** @param {object[]} [requests] replace the list, which begins again */
  setRequests(requests) {
    const list = requests && requests.length > 0 ? requests : [{}]
    this.resetted = false
    this._entries = list.map((request) => this._entryOf(request))
    this._index = 0
    this._current = this._entries[0]
    for (const [index, entry] of this._entries.entries()) {
      if (index === 0 || !isDynamic(entry.request)) this._build(entry)
    }
    if (this._current.bytes === null) throw firstFailed()
  }

  /** @param {object} [headers] of the current request, beside those of the run */
  setHeaders(headers) {
    this._replace({ ...this._current.request, headers: headers || {} })
  }

  /** @param {string|Buffer} [body] of the current request; nothing: no body */
  setBody(body) {
    this._replace({ ...this._current.request, body: body || '' })
  }

  /**
   * @param {object} [headers]
   * @param {string|Buffer} [body]
   */
  setHeadersAndBody(headers, body) {
    this._replace({ ...this._current.request, headers: headers || {}, body: body || '' })
  }

  /** @param {object} [request] takes the place of the current one in the list */
  setRequest(request) {
    this._replace(request || {})
  }

  /** Goes to the next request, and builds it if it is a new one each time. */
  next() {
    this.resetted = false
    let index = this._index + 1
    if (index === this._entries.length) {
      this.resetContext()
      index = 0
    }
    const entry = this._entries[index]
    this._index = index
    this._current = entry
    if (!entry.rebuilt) return
    this._build(entry)
    if (entry.bytes === null) this._restart(index)
  }

  _restart(failed) {
    if (failed === 0) throw firstFailed()
    this.resetContext()
    this._index = 0
    this._current = this._entries[0]
    if (this._current.rebuilt) this._build(this._current)
    if (this._current.bytes === null) throw firstFailed()
    this.resetted = true
  }

  _entryOf(request) {
    const { defaults, ids } = this._settings
    const headers = { ...defaults.headers, ...request.headers }
    return {
      request: { ...request, headers },
      base: { ...defaults, ...request },
      headers,
      rebuilt: ids || isDynamic(request),
      bytes: null
    }
  }

  _replace(request) {
    const entry = this._entryOf(request)
    this._build(entry)
    if (entry.bytes === null) {
      if (this._index === 0) throw firstFailed()
      this._entries[this._index] = entry
      this._restart(this._index)
      return
    }
    this._entries[this._index] = entry
    this._current = entry
  }

  // bytes: null when setupRequest gave nothing.
  _build(entry) {
    const { request } = entry
    const plain = { ...entry.base, headers: { ...entry.headers } }
    const sent = isDynamic(request) ? request.setupRequest(plain, this.context) : plain
    if (!sent) {
      entry.bytes = null
      return
    }
    if (sent !== plain) checkReturned(sent)
    const whole = sent.headers ? sent : { ...sent, headers: {} }
    const bytes = requestBytes(whole, this._settings.target, this._nextId())
    entry.bytes = entry.rebuilt ? bytes : Buffer.from(bytes)
  }
}

function checkReturned(request) {
  if (typeof request === 'object' && typeof request.then !== 'function') return
  const what = typeof request === 'object' ? 'a promise' : `a ${typeof request}`
  throw new Error(`setupRequest() returned ${what}: it must return the request, at once`)
}

function firstFailed() {
  return new Error('First setupRequest() failed did not returned valid request. Stopping')
}

module.exports = { RequestList }
