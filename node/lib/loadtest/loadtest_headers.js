'use strict'

// The header lines of every request, in the order in which Node's client sends them.

const USER_AGENT = 'loadtest/8.2.1'

/**
 * @param {unknown} given object, array of "name: value" or [name, value], Map, Headers, or one text
 * @returns {[string, unknown][]}
 */
function headerEntries(given) {
  if (given === undefined || given === null || given === '') return []
  if (typeof given === 'string') return textHeader(given)
  if (Array.isArray(given)) {
    return given.flatMap((item) => Array.isArray(item) ? [pairOf(item)] : headerEntries(item))
  }
  if (typeof given !== 'object') throw new Error(`Invalid headers ${String(given)}: ${SHAPES}`)
  const pairs = typeof given[Symbol.iterator] === 'function' ? [...given] : Object.entries(given)
  return pairs.map(pairOf)
}

const SHAPES = 'give an object, an array, a Map or a text "name: value"'

function pairOf(pair) {
  if (Array.isArray(pair) && pair.length === 2) return [String(pair[0]), pair[1]]
  throw new Error(`Invalid header ${JSON.stringify(pair)}: ${SHAPES}`)
}

// A line that is none is left out, and said.
function textHeader(text) {
  const colon = text.indexOf(':')
  if (colon > 0) return [[text.slice(0, colon).trim(), text.slice(colon + 1)]]
  console.error(`Invalid header ${text}, it should be in the form key:value`)
  return []
}

/**
 * @param {unknown} given an array, or one text
 * @returns {string} the value of the Cookie header, "" for none
 */
function cookieText(given) {
  if (given === undefined || given === null || given === '' || given === false) return ''
  if (typeof given === 'string') return given
  if (Array.isArray(given)) return given.map(String).join('; ')
  if (Object.getPrototypeOf(given) === Object.prototype) {
    return Object.entries(given).map(([name, value]) => `${name}=${value}`).join('; ')
  }
  throw new Error(`Invalid cookies ${JSON.stringify(given)}: give an array of "name=value"`)
}

/**
 * @param {object} wanted
 * @param {string} wanted.host
 * @param {[string, unknown][]} wanted.own later ones take the place of earlier ones
 * @param {boolean} wanted.hasBody
 * @param {string} [wanted.contentType] takes the place of the header, when there is a body
 * @param {string} wanted.cookies
 * @returns {Record<string, string | string[]>} own names in lower case; without Connection
 * @throws {Error} a name or a value that cannot be sent
 */
function headerObject({ host, own, hasBody, contentType, cookies }) {
  const headers = Object.create(null)
  headers.host = host
  headers.accept = '*/*'
  for (const [name, value] of own) {
    if (value === undefined || value === null) continue
    headers[checkedName(name).toLowerCase()] = checkedValue(name, value)
  }
  // The body that is sent has a length, and is not in chunks.
  delete headers['content-length']
  delete headers['transfer-encoding']
  if (!('user-agent' in headers)) headers['user-agent'] = USER_AGENT
  if (hasBody && (contentType || !('content-type' in headers))) {
    delete headers['content-type']
    headers['Content-Type'] = checkedValue('Content-Type', contentType || 'text/plain')
  }
  if (cookies) {
    delete headers.cookie
    headers.Cookie = checkedValue('Cookie', cookies)
  }
  return { ...headers }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const BREAK = /[\r\n\0]/

function checkedName(name) {
  if (TOKEN.test(name)) return name
  throw new Error(`Invalid header name ${JSON.stringify(name)}`)
}

function checkedValue(name, value) {
  if (Array.isArray(value)) return value.map((item) => checkedValue(name, item))
  if (hasNoText(value)) {
    throw new Error(`value of header ${name} is no text: ${Object.prototype.toString.call(value)}`)
  }
  const text = String(value)
  if (!BREAK.test(text)) return text
  throw new Error(`value of header ${name} has a line break: ${JSON.stringify(text)}`)
}

// It would go out as [object Object], or as a function's source.
function hasNoText(value) {
  if (typeof value === 'object' && value !== null) {
    return [undefined, Object.prototype.toString].includes(value.toString)
  }
  return ['function', 'symbol'].includes(typeof value)
}

/**
 * @param {Record<string, string | string[]>} headers
 * @returns {[string, string][]} a line for each value of a list
 */
function headerLines(headers) {
  return Object.entries(headers)
    .flatMap(([name, value]) => [].concat(value).map((item) => [name, item]))
}

module.exports = { headerEntries, cookieText, headerObject, headerLines }
