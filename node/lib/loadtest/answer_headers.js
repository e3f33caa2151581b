'use strict'

// The head of an answer as IncomingMessage.headers of Node has it.

const { flatHeadersOf } = require('../response_head')

// Of these the first one holds (RFC 9110 5.3 lets them stand there once).
const SINGLE = new Set(['age', 'authorization', 'content-length', 'content-type', 'etag', 'expires',
  'from', 'host', 'if-modified-since', 'if-unmodified-since', 'last-modified', 'location',
  'max-forwards', 'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent'])

let lastHead = ''
let lastHeaders = {}

/**
 * @param {string} head status line and header lines
 * @returns {Record<string, string | string[]>} names in lower case
 */
function answerHeaders(head) {
  // Most answers of a second have the same one.
  if (head !== lastHead) {
    lastHeaders = parsed(head)
    lastHead = head
  }
  const headers = { ...lastHeaders }
  if (headers['set-cookie']) headers['set-cookie'] = [...headers['set-cookie']]
  return headers
}

function parsed(head) {
  const flat = flatHeadersOf(head)
  const headers = {}
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i].toLowerCase()
    const known = Object.hasOwn(headers, name) ? headers[name] : undefined
    if (name === 'set-cookie') (headers[name] = known || []).push(flat[i + 1])
    else if (known === undefined) headers[name] = flat[i + 1]
    else if (name === 'cookie') headers[name] = `${known}; ${flat[i + 1]}`
    else if (!SINGLE.has(name)) headers[name] = `${known}, ${flat[i + 1]}`
  }
  return headers
}

module.exports = { answerHeaders }
