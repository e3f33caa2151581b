'use strict'

// Requests out of an HTTP archive (HAR), with autocannon's error texts.

/**
 * @typedef {object} HarRequest
 * @property {string} origin "https://example.com"
 * @property {string} method
 * @property {string} path with query and fragment, which autocannon sends too
 * @property {Record<string, string>} headers of a repeated name the last one
 * @property {string} [body]
 */

/**
 * @param {object} har a parsed archive
 * @returns {Map<string, HarRequest[]>} the requests of each origin, in the archive's order
 * @throws {Error} "Could not parse HAR content: …" with the number of the entry, from 1
 */
function parseHar(har) {
  const byOrigin = new Map()
  try {
    for (const [index, entry] of entriesOf(har).entries()) {
      const request = requestOf(entry, index + 1)
      const requests = byOrigin.get(request.origin)
      if (requests) requests.push(request)
      else byOrigin.set(request.origin, [request])
    }
  } catch (error) {
    throw new Error(`Could not parse HAR content: ${error.message}`)
  }
  return byOrigin
}

function entriesOf(har) {
  const entries = isObject(har) && isObject(har.log) ? har.log.entries : undefined
  if (!Array.isArray(entries) || entries.length === 0) throw new Error('no entries found')
  return entries
}

function requestOf(entry, number) {
  if (!isObject(entry) || !isObject(entry.request)) {
    throw new Error(`invalid request in entry #${number}`)
  }
  const { method, url: text, headers: list, postData } = entry.request
  const headers = headersOf(list, number)
  const url = urlOf(text, number)
  const path = url.pathname + url.search + url.hash
  const request = { origin: url.origin, method, path, headers }
  if (isObject(postData) && typeof postData.text === 'string') request.body = postData.text
  return request
}

function headersOf(list, number) {
  if (!Array.isArray(list)) throw new Error(`invalid headers array in entry #${number}`)
  const headers = {}
  for (const [index, header] of list.entries()) {
    const valid = isObject(header) && typeof header.name === 'string' &&
      typeof header.value === 'string'
    if (!valid) {
      throw new Error(`invalid name or value in header #${index + 1} of entry #${number}`)
    }
    headers[header.name] = header.value
  }
  return headers
}

function urlOf(text, number) {
  try {
    return new URL(text)
  } catch (error) {
    throw new Error(`invalid url in entry #${number}`)
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null
}

/**
 * @param {Map<string, HarRequest[]>} byOrigin
 * @param {string | string[]} urls the targets
 * @returns {string[]} one line for each origin that is left out
 */
function harWarnings(byOrigin, urls) {
  const targets = [].concat(urls).map((url) => new URL(url).origin)
  return [...byOrigin.keys()]
    .filter((origin) => !targets.includes(origin))
    .map((origin) =>
      `Warning: skipping requests to '${origin}' as the target is ${targets.join(', ')}`)
}

module.exports = { parseHar, harWarnings }
