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

const OTHER_SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:\/\//i

/**
 * @param {unknown} url
 * @returns {unknown} the same with text in place of URL objects
 */
function plainUrl(url) {
  if (Array.isArray(url)) return url.map(plainUrl)
  return Object.prototype.toString.call(url) === '[object URL]' ? url.href : url
}

/**
 * @param {string|string[]} url
 * @returns {string|string[]} the same with http:// where there is no scheme
 * @throws {TypeError} Invalid URL
 */
function withScheme(url) {
  if (Array.isArray(url)) return url.map(withScheme)
  if (typeof url !== 'string') {
    throw new Error('url should only be a string or an array of string')
  }
  if (OTHER_SCHEME.test(url)) throw invalid(url, ': the scheme must be http or https')
  const whole = /^https?:\/\//i.test(url) ? url : `http://${url}`
  parse(whole, url)
  return whole
}

/**
 * @param {string|string[]} url with schemes
 * @returns {Target[]}
 * @throws {TypeError} Invalid URL
 */
function targetsOf(url) {
  return (Array.isArray(url) ? url : [url]).map((text) => {
    const { parsed, user, password } = parse(text, text)
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

function parse(text, shown) {
  let parsed
  try {
    parsed = new URL(text)
  } catch (error) {
    throw invalid(shown)
  }
  try {
    const user = decodeURIComponent(parsed.username)
    return { parsed, user, password: decodeURIComponent(parsed.password) }
  } catch (error) {
    throw invalid(shown, ': a % in user or password has to be written as %25')
  }
}

function invalid(url, why = '') {
  return Object.assign(new TypeError(`Invalid URL: ${url}${why}`), { code: 'ERR_INVALID_URL' })
}

module.exports = { plainUrl, withScheme, targetsOf }
