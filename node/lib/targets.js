'use strict'

// The option `url`, taken apart once.

/**
 * @typedef {object} Target
 * @property {string} url without credentials and fragment
 * @property {string} origin "http://localhost:3000"
 * @property {string} protocol "http:" or "https:"
 * @property {string} host as in the Host header
 * @property {string} hostname
 * @property {string} port "" for the scheme's own
 * @property {string} path with its query
 * @property {string} authorization value of the header, "" for no credentials
 */

/**
 * @param {string|string[]} url
 * @returns {string|string[]} the same with http:// where there is no scheme
 */
function withScheme(url) {
  if (Array.isArray(url)) return url.map(withScheme)
  if (typeof url !== 'string') {
    throw new Error('url should only be a string or an array of string')
  }
  return /^https?:\/\//i.test(url) ? url : `http://${url}`
}

/**
 * @param {string|string[]} url with schemes
 * @returns {Target[]}
 * @throws {TypeError} Invalid URL
 */
function targetsOf(url) {
  return (Array.isArray(url) ? url : [url]).map((text) => {
    const parsed = new URL(text)
    const user = decodeURIComponent(parsed.username)
    const password = decodeURIComponent(parsed.password)
    const credentials = Buffer.from(`${user}:${password}`).toString('base64')
    return {
      url: `${parsed.origin}${parsed.pathname}${parsed.search}`,
      origin: parsed.origin,
      protocol: parsed.protocol,
      host: parsed.host,
      hostname: parsed.hostname,
      port: parsed.port,
      path: parsed.pathname + parsed.search,
      authorization: user || password ? `Basic ${credentials}` : ''
    }
  })
}

module.exports = { withScheme, targetsOf }
