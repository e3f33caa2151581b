'use strict'

// The body of each request, from what the options say about it.

const fs = require('fs')
const querystring = require('querystring')
const { importFunction } = require('./user_module')

const FORM = 'application/x-www-form-urlencoded'
const MODULE = /\.[cm]?js$/

/**
 * @param {unknown} file path of a text, "-" for standard input, or path of a module whose default
 *     export makes bodies
 * @returns {Promise<Buffer | Function>}
 */
async function readBodyFile(file) {
  if (typeof file !== 'string') throw new Error(`Invalid file to open for body: ${String(file)}`)
  if (MODULE.test(file)) return importFunction(file)
  return file === '-' ? readAll(process.stdin) : fs.promises.readFile(file)
}

async function readAll(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * @typedef {object} Message
 * @property {string | Buffer} text of all requests, "" for none
 * @property {((requestId: string) => string | Buffer) | null} make of one request
 */

/**
 * @param {unknown} body
 * @param {object} how
 * @param {string} [how.contentType]
 * @param {boolean} how.json as for WebSockets: texts are JSON, too
 * @returns {Message}
 * @throws {Error} of another type
 */
function messageOf(body, { contentType, json }) {
  if (typeof body === 'function') {
    return { text: '', make: (requestId) => textOf(body(requestId), contentType, json) }
  }
  if (body === undefined || body === null || body === '') return { text: '', make: null }
  return { text: textOf(body, contentType, json), make: null }
}

/**
 * A request generator on a WebSocket target: what it writes to its request is the message.
 * @param {Function} generator
 * @param {object} params
 * @param {object} options
 * @returns {Message}
 */
function writtenMessage(generator, params, options) {
  return {
    text: '',
    make() {
      let written
      const write = (text) => { written = written === undefined ? text : written }
      const client = () => ({ write, end: write, on() {} })
      generator(params, { ...options, headers: { ...options.headers } }, client, () => {})
      if (typeof written === 'string' || isBytes(written)) return written
      throw new Error('requestGenerator must write a message: ' +
        'client(options, callback).write(text)')
    }
  }
}

function textOf(body, contentType, json) {
  if (isBytes(body)) return Buffer.isBuffer(body) ? body : Buffer.from(body)
  if (json) return JSON.stringify(body === undefined ? null : body)
  if (typeof body === 'string') return body
  if (body === undefined || body === null) return ''
  if (typeof body === 'number' || typeof body === 'boolean') return String(body)
  if (typeof body !== 'object') throw new Error(`Unrecognized body: ${typeof body}`)
  if (typeof body.then === 'function') {
    throw new Error('the function for the body must return it at once, not a promise')
  }
  return isForm(contentType) ? querystring.stringify(body) : JSON.stringify(body)
}

const isBytes = (value) => value instanceof Uint8Array
const isForm = (type) => typeof type === 'string' && type.split(';')[0].trim() === FORM

module.exports = { readBodyFile, messageOf, writtenMessage }
