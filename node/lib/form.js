'use strict'

// The option `form` as the body of a request: multipart/form-data (RFC 7578).

const crypto = require('crypto')
const fs = require('fs')
const path = require('path')
const mime = require('mime-types')

const DEFAULT_TYPE = 'application/octet-stream'

/**
 * @typedef {object} FormField
 * @property {'text' | 'file'} type
 * @property {string} [value] of a text
 * @property {string} [path] of a file, read now
 * @property {{filename?: string, filepath?: string, contentType?: string,
 *   header?: Record<string, string>}} [options] of a file
 */

/**
 * @param {string | Record<string, FormField>} form an object, its JSON, or the path of a file
 *   with its JSON
 * @returns {{body: Buffer, contentType: string, headers: Record<string, string>}} `headers` has
 *   the content type under its name
 * @throws {Error} with autocannon's texts, or what reading a file said
 */
function buildForm(form) {
  const fields = typeof form === 'string' ? parseForm(form) : form
  if (typeof fields !== 'object' || fields === null) throw notAForm()
  const boundary = '-'.repeat(26) + crypto.randomBytes(12).toString('hex')
  const parts = Object.entries(fields).map(([name, field]) => partOf(name, field || {}))
  const chunks = []
  for (const { head, content } of parts) {
    chunks.push(Buffer.from(`--${boundary}\r\n${head}\r\n`), content, Buffer.from('\r\n'))
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`))
  const contentType = `multipart/form-data; boundary=${boundary}`
  return {
    body: Buffer.concat(chunks),
    contentType,
    headers: { 'content-type': contentType }
  }
}

function parseForm(text) {
  try {
    return JSON.parse(text)
  } catch (notJson) {
    try {
      return JSON.parse(fs.readFileSync(path.resolve(text), 'utf8'))
    } catch (error) {
      throw notAForm()
    }
  }
}

const notAForm = () => new Error('Invalid JSON or file where to get form data')

function partOf(name, field) {
  if (field.type === 'text') return textPart(name, field)
  if (field.type === 'file') return filePart(name, field)
  throw new Error("A 'type' key with value 'text' or 'file' should be specified")
}

function textPart(name, { value }) {
  if (!value) throw new Error(`Missing key 'value' in form object for key '${name}'`)
  if (Array.isArray(value)) throw new Error('Arrays are not supported.')
  return { head: disposition(name), content: Buffer.from(String(value)) }
}

function filePart(name, field) {
  if (!field.path) throw new Error(`Missing key 'path' in form object for key '${name}'`)
  const content = fs.readFileSync(field.path)
  const options = { filename: path.basename(field.path), ...field.options }
  const shown = typeof options.filepath === 'string'
    ? path.normalize(options.filepath)
    : path.basename(String(options.filename))
  const type = options.contentType || mime.lookup(options.filepath || options.filename) ||
    DEFAULT_TYPE
  const lines = { 'Content-Type': type, ...options.header }
  let head = disposition(name, shown)
  for (const [key, value] of Object.entries(lines)) {
    if (value !== undefined && value !== null) head += `${key}: ${value}\r\n`
  }
  return { head, content }
}

function disposition(name, filename) {
  const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n`
}

// What would end the quoted string or its line, as browsers write it.
function quoted(text) {
  return text.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22')
}

module.exports = { buildForm }
