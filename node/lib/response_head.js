'use strict'

// The head of an answer, given as text: status line and header lines.

const COLON = 58
const SPACE = 32
const MOST_NAMES = 64

// The names in the last head, by their places: most answers have the same ones in the same order,
// and a name that is there already need not be cut out and looked up as a key again.
const names = []

/**
 * @param {string} lines header or trailer lines, with CR LF or LF
 * @param {number} [start] where they begin
 * @returns {string[]} name, value, name, value … as the server wrote them
 */
function flatHeaders(lines, start = 0) {
  const flat = []
  let from = start
  while (from < lines.length) {
    let to = lines.indexOf('\n', from)
    if (to < 0) to = lines.length
    const name = nameAt(lines, from, to, flat.length >> 1)
    if (name !== '') flat.push(name, valueOf(lines, from + name.length + 1, to))
    from = to + 1
  }
  return flat
}

function nameAt(lines, from, to, place) {
  const guess = names[place]
  if (guess !== undefined && lines.charCodeAt(from + guess.length) === COLON &&
      lines.startsWith(guess, from)) {
    return guess
  }
  const colon = lines.indexOf(':', from)
  if (colon < from || colon >= to) return ''
  const name = lines.slice(from, colon)
  if (place < MOST_NAMES) names[place] = name
  return name
}

// Nearly always ": value\r\n".
function valueOf(lines, from, to) {
  const first = lines.charCodeAt(from) === SPACE ? from + 1 : from
  const value = lines.slice(first, lines.charCodeAt(to - 1) === 13 ? Math.max(to - 1, first) : to)
  const trimmed = value.length === 0 ||
    (value.charCodeAt(0) > SPACE && value.charCodeAt(value.length - 1) > SPACE)
  return trimmed ? value : value.trim()
}

/**
 * @param {string} head
 * @returns {string[]} as flatHeaders, without the status line
 */
function flatHeadersOf(head) {
  return flatHeaders(head, head.indexOf('\n') + 1)
}

/**
 * @param {string} head
 * @returns {Record<string, string|string[]>} a repeated name has a list
 */
function headerObject(head) {
  const flat = flatHeadersOf(head)
  const headers = {}
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i]
    const before = headers[name]
    // Not its own: "constructor" and the like.
    if (before === undefined || !Object.hasOwn(headers, name)) headers[name] = flat[i + 1]
    else if (Array.isArray(before)) before.push(flat[i + 1])
    else headers[name] = [before, flat[i + 1]]
  }
  return headers
}

/**
 * @param {string} head
 * @returns {{versionMajor: number, versionMinor: number, statusCode: number,
 *     statusMessage: string, headers: string[], upgrade: boolean, shouldKeepAlive: boolean}}
 */
function headEvent(head) {
  const end = head.indexOf('\n')
  const line = /^HTTP\/(\d)\.(\d) (\d{3}) ?(.*)$/.exec(head.slice(0, end).trimEnd())
  const headers = flatHeadersOf(head)
  const [, major, minor, status, message] = line || [head, '1', '1', '0', '']
  return {
    headers,
    upgrade: status === '101',
    versionMajor: Number(major),
    versionMinor: Number(minor),
    statusCode: Number(status),
    statusMessage: message,
    shouldKeepAlive: keepsAlive(headers, minor === '1')
  }
}

function keepsAlive(headers, byDefault) {
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i].toLowerCase() !== 'connection') continue
    const value = headers[i + 1].toLowerCase()
    if (value.includes('close')) return false
    if (value.includes('keep-alive')) return true
  }
  return byDefault
}

module.exports = { flatHeaders, flatHeadersOf, headerObject, headEvent }
