'use strict'

// What the engine calls while Node's loop turns it.

const { flatHeaders, headEvent, headerObject } = require('./response_head')

const CODES = {
  connect_refused: 'ECONNREFUSED',
  connection_reset: 'ECONNRESET',
  closed_before_response: 'ECONNRESET',
  truncated_response: 'ECONNRESET',
  resolve_failed: 'ENOTFOUND',
  connect_timeout: 'ETIMEDOUT',
  timeout: 'ETIMEDOUT',
  out_of_descriptors: 'EMFILE',
  out_of_ports: 'EADDRNOTAVAIL'
}

/**
 * @param {string} kind the engine's name for it
 * @param {string} text with address and reason
 * @returns {Error} for `reqError` and `connError`
 */
function lossError(kind, text) {
  const error = new Error(kind === 'timeout' ? 'request timed out' : text)
  error.kind = kind
  if (CODES[kind]) error.code = CODES[kind]
  return error
}

/**
 * @param {object} run
 * @param {object} run.opts
 * @param {import('events').EventEmitter} run.tracker
 * @param {import('./client').Client[]} run.clients
 * @param {import('./wants').Wants} run.wants
 * @returns {object} the second argument of the binding's Engine
 */
function loopHooks({ opts, tracker, clients, wants }) {
  const hooks = {
    heads: wants.heads,
    bodies: wants.bodies,
    response: responseHook({ opts, tracker, clients, wants }),
    loss(connection, kind, text, requests) {
      const client = clients[connection]
      client.lost(requests)
      if (client.destroyed) return
      const error = lossError(kind, text)
      if (kind !== 'timeout') client.emit('connError', error)
      for (let i = 0; i < Math.max(requests, 1); ++i) {
        if (kind === 'timeout') client.emit('timeout')
        tracker.emit('reqError', error)
      }
    }
  }
  if (wants.requests) hooks.next = (connection) => clients[connection].take()
  return hooks
}

function responseHook({ opts, tracker, clients, wants }) {
  const { verifyBody } = opts
  const verifies = Boolean(verifyBody) || wants.expectation
  const matches = verifyBody
    ? (body) => Boolean(verifyBody(body))
    : (body) => body === opts.expectBody
  const rate = opts.connectionRate || opts.overallRate
  const ahead = wants.requests && opts.pipelining > 1 && !rate
  return (connection, status, bytes, ms, head, body, trailers) => {
    const client = clients[connection]
    const request = client.answered()
    if (client.destroyed) return true
    if (wants.parts && !emitParts(client, head, body, trailers)) return true
    if (request !== undefined && typeof request.onResponse === 'function') {
      const { context } = client.requestIterator
      const headers = head === undefined ? undefined : headerObject(head)
      request.onResponse(status, textOf(body), context, headers)
    }
    client.emit('response', status, bytes, ms, rate)
    tracker.emit('response', client, status, bytes, ms)
    const good = !verifies || matches(textOf(body))
    if (!good) {
      client.emit('mismatch', textOf(body))
      tracker.emit('reqMismatch', textOf(body))
    }
    if (ahead) client.makeNext()
    return good
  }
}

// False: a listener destroyed the client.
function emitParts(client, head, body, trailers) {
  if (head !== undefined && client.listenerCount('headers') > 0) {
    client.emit('headers', headEvent(head))
    if (client.destroyed) return false
  }
  if (body !== undefined && body.length > 0 && client.listenerCount('body') > 0) {
    client.emit('body', body)
    if (client.destroyed) return false
  }
  if (trailers && client.listenerCount('trailers') > 0) {
    client.emit('trailers', flatHeaders(trailers))
  }
  return !client.destroyed
}

const textOf = (body) => body === undefined ? '' : typeof body === 'string' ? body : String(body)

module.exports = { loopHooks, lossError }
