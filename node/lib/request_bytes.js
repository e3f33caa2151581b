'use strict'

// A request as the bytes that are sent. Order: request line, Host and Connection unless the
// request has its own, its headers, Authorization from the URL, Content-Length for a body.

const METHODS = new Set(
  ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH']
)
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const BREAK = /[\r\n\0]/
const SPACE = /[\0- \x7f]/

/**
 * @typedef {object} PlainRequest
 * @property {string} method
 * @property {string} path
 * @property {Record<string, unknown>} headers
 * @property {string|number|Buffer} [body]
 */

/**
 * @param {PlainRequest} request
 * @param {{host: string, authorization: string}} target
 * @param {string} [id] takes the place of each [<id>]
 * @returns {string|Buffer} a string (to be sent as UTF-8) unless the body is a Buffer
 * @throws {Error} what cannot be sent as it is
 */
function requestBytes(request, target, id) {
  checkMethod(request.method)
  const path = id === undefined ? String(request.path) : pathWithId(String(request.path), id)
  checkPath(path)
  let body = bodyOf(request.body)
  if (id !== undefined) body = bodyWithId(body, id)
  const head = `${request.method} ${path} HTTP/1.1\r\n` +
    headerLines(request.headers, target, body, id) + '\r\n'
  if (typeof body === 'string') return head + body
  return Buffer.concat([Buffer.from(head), body])
}

/**
 * @param {string} method
 * @throws {Error} not one of HTTP's nine
 */
function checkMethod(method) {
  if (!METHODS.has(method)) throw new Error(`${method} HTTP method is not supported`)
}

function checkPath(path) {
  if (path !== '' && !SPACE.test(path)) return
  throw new Error('path is empty or has a space or control character: ' +
    `${JSON.stringify(path)}; encodeURI() makes a path of any text`)
}

/**
 * @param {unknown} body as a user gives it
 * @returns {string|Buffer} "" for none
 * @throws {Error} neither a string, a number nor bytes
 */
function bodyOf(body) {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (typeof body === 'number') return String(body)
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.length)
  // What the command line's parser makes of a JSON array.
  if (body && Array.isArray(body._)) return `[${body._}]`
  if (body) throw new Error('body must be either a string or a buffer')
  return ''
}

/**
 * @param {Record<string, unknown>} headers
 * @returns {[string, string][]} names and values as sent: a list has a line for each member,
 *     and what has no value has none
 * @throws {Error} a name that is none, or a value that would end its line
 */
function headerPairs(headers) {
  const pairs = []
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) pairs.push([name, checkedValue(name, item)])
    }
  }
  return pairs
}

function headerLines(headers, target, body, id) {
  let own = ''
  let defaults = `Host: ${target.host}\r\n`
  let connection = 'Connection: keep-alive\r\n'
  let authorization = target.authorization
  let framed = false
  let counted = body.length > 0
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value === undefined || value === null) continue
    // Only names of these lengths can be one of ours.
    if (name.length === 4 && name.toLowerCase() === 'host') defaults = ''
    else if (name.length === 10 && name.toLowerCase() === 'connection') connection = ''
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorization = ''
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') framed = true
    else if (name.length === 14 && name.toLowerCase() === 'content-length') {
      counted = true
      continue
    }
    own += Array.isArray(value)
      ? value.map((item) => headerLine(name, item)).join('')
      : headerLine(name, value)
  }
  if (id !== undefined) own = own.replaceAll('[<id>]', id)
  if (authorization) own += `Authorization: ${authorization}\r\n`
  if (counted && !framed) own += `Content-Length: ${Buffer.byteLength(body)}\r\n`
  return defaults + connection + own
}

const headerLine = (name, value) => `${name}: ${checkedValue(name, value)}\r\n`

function checkedValue(name, value) {
  const text = typeof value === 'string' ? value : String(value)
  if (!TOKEN.test(name)) throw new Error(`not a header name: ${JSON.stringify(name)}`)
  if (BREAK.test(text)) {
    throw new Error(`value of header ${name} has a line break: ${JSON.stringify(text)}`)
  }
  return text
}

/**
 * @param {string} path
 * @param {string} id
 * @returns {string} with the id also where the URL parser has encoded the placeholder
 */
function pathWithId(path, id) {
  return path.replaceAll('[<id>]', id).replaceAll('[%3Cid%3E]', id)
}

function bodyWithId(body, id) {
  if (typeof body === 'string') return body.replaceAll('[<id>]', id)
  if (!body.includes('[<id>]')) return body
  return Buffer.from(body.toString('latin1').replaceAll('[<id>]', id), 'latin1')
}

module.exports = { requestBytes, checkMethod, bodyOf, headerPairs, pathWithId }
