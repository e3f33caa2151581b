'use strict'

// The option `url`, taken apart.

const SCHEMES = /^(https?|wss?):\/\//i

/**
 * @typedef {object} LoadtestTarget
 * @property {string} url as given
 * @property {string} scheme http, https, ws or wss
 * @property {string} host as in the Host header
 * @property {string} hostname without brackets
 * @property {string} port "" for the scheme's own
 * @property {string} path with its query, as given: not yet encoded
 * @property {string} auth "user:password" or ""
 */

/**
 * @param {unknown} given
 * @returns {LoadtestTarget}
 * @throws {Error} none given; not a URL, or of another scheme
 */
function readUrl(given) {
  const url = Object.prototype.toString.call(given) === '[object URL]' ? given.href : given
  if (url === undefined || url === null || url === '') {
    throw new Error('Missing url: options.url says what to load')
  }
  const scheme = typeof url === 'string' && SCHEMES.exec(url)
  if (!scheme) throw invalid(url, 'it must begin with http://, https://, ws:// or wss://')
  let parsed
  try {
    parsed = new URL(url)
    const auth = [parsed.username, parsed.password].map(decodeURIComponent)
    return {
      url,
      scheme: scheme[1].toLowerCase(),
      host: hostOf(parsed, url),
      hostname: parsed.hostname.replace(/^\[|\]$/g, ''),
      port: parsed.port,
      path: rawPath(url),
      auth: parsed.username || parsed.password ? auth.join(':') : ''
    }
  } catch (error) {
    throw invalid(url, parsed ? 'a % in user or password is written %25' : error.message)
  }
}

// As Node's url.parse(): a port that is written is kept.
function hostOf({ host, port }, url) {
  if (port !== '') return host
  const written = /^[a-z]+:\/\/[^/?#]*?:(\d+)(?:[/?#]|$)/i.exec(url)
  return written ? `${host}:${Number(written[1])}` : host
}

// As written, because a pattern of indexParam may have characters that are sent encoded.
function rawPath(url) {
  const [, path] = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(url)
  return path.startsWith('/') ? path : `/${path}`
}

/**
 * @param {string} path
 * @returns {string} with percent-escapes for what cannot stand in a request line
 */
function encodedPath(path) {
  // eslint-disable-next-line no-control-regex
  return path.replace(/[\0- \x7f-\u{10ffff}]+/gu, (text) =>
    [...Buffer.from(text)].map((byte) => '%' + byte.toString(16).toUpperCase().padStart(2, '0'))
      .join(''))
}

const invalid = (url, why) => new Error(`Invalid URL ${String(url)}: ${why}`)

module.exports = { readUrl, encodedPath }
