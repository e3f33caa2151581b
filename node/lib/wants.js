'use strict'

// Which of the two ways a run takes, and what it has to be told about each answer. All of it is
// decided once, at the start, because each wish costs time per answer.

const PLAIN_PARAMETERS =
  /^(?:async\s+)?(?:(?:function\s*)?[\w$]*\s*\([\w$\s,]*\)\s*(?:=>|\{)|[\w$]+\s*=>)/

/**
 * @typedef {object} Wants
 * @property {boolean} inLoop turned by Node's loop, because there is something to call
 * @property {boolean} requests JavaScript makes the requests
 * @property {boolean} responses each answer is told
 * @property {boolean} heads with its head
 * @property {''|'string'|'buffer'} bodies with its body
 * @property {boolean} parts a client may listen to `headers`, `body` or `trailers`
 * @property {boolean} expectation bodies are compared with expectBody here, not by the engine
 */

/**
 * @param {object} opts validated
 * @returns {boolean} whether the options alone ask for JavaScript to be called
 */
function hasCallbacks(opts) {
  if (opts.workers) return false
  return Boolean(opts.setupClient || opts.verifyBody || hasRequestCallbacks(opts.requests))
}

/**
 * @param {object} opts validated
 * @param {import('events').EventEmitter} tracker with the listeners that it has at the start
 * @param {import('./client').Client[]} clients [] when there are none yet
 * @returns {Wants}
 */
function wantsOf(opts, tracker, clients) {
  const listens = (event) => clients.some((client) => client.listenerCount(event) > 0)
  const hears = (event) => !opts.workers && tracker.listenerCount(event) > 0
  const mismatches = hears('reqMismatch') || listens('mismatch')
  const inLoop = hasCallbacks(opts) || hears('response') ||
    (mismatches && Boolean(opts.expectBody))
  const handed = Boolean(opts.setupClient) || hears('response')
  const onResponses = responseCallbacks(opts, clients)
  const heads = listens('headers') || listens('trailers') ||
    onResponses.some((callback) => takesParameter(callback, 4))
  const bodies = listens('body')
  const expectation = mismatches && Boolean(opts.expectBody) && !opts.verifyBody
  const text = Boolean(opts.verifyBody) || expectation ||
    onResponses.some((callback) => takesParameter(callback, 2))
  return {
    inLoop,
    // A client that the user holds can change its requests, unless they are pipelined.
    requests: inLoop && (hasRequestCallbacks(opts.requests) || listens('request') ||
      (handed && opts.pipelining === 1)),
    responses: inLoop,
    heads,
    bodies: bodies ? 'buffer' : text ? 'string' : '',
    parts: heads || bodies,
    expectation
  }
}

function hasRequestCallbacks(requests) {
  return Boolean(requests) && requests.some((request) => request.setupRequest || request.onResponse)
}

function responseCallbacks(opts, clients) {
  const callbacks = new Set()
  const lists = [opts.requests || [], ...clients.map((client) => client.requestIterator.requests)]
  for (const list of lists) {
    for (const request of list) {
      if (typeof request.onResponse === 'function') callbacks.add(request.onResponse)
    }
  }
  return [...callbacks]
}

/**
 * @param {Function} callback
 * @param {number} nth from 1
 * @returns {boolean} whether it may look at its nth argument: only a plain list of names is
 *     believed to say that it does not
 */
function takesParameter(callback, nth) {
  if (callback.length >= nth) return true
  const text = Function.prototype.toString.call(callback)
  return !PLAIN_PARAMETERS.test(text) || /\barguments\b|\[native code\]/.test(text)
}

module.exports = { hasCallbacks, wantsOf, takesParameter }
