'use strict'

// Where in the user's own JavaScript an error comes from, and the line that says so.

const path = require('path')
const { fileURLToPath } = require('url')

const OWN = [path.resolve(__dirname, '..'), path.resolve(__dirname, '..', '..', 'bin')]
  .map((folder) => folder + path.sep)
// "    at name (/a/b.js:1:2)", "    at async file:///a/b.mjs:1:2"
const FRAME = /^\s+at (?:.*\()?((?:file:\/\/)?\/.*):(\d+):\d+\)?$/
// What stands above a SyntaxError.
const HEADING = /^((?:file:\/\/)?\/.*):(\d+)$/

const fileOf = (name) => name.startsWith('file:') ? fileURLToPath(name) : name
const isOwn = (file) => OWN.some((folder) => file.startsWith(folder))

/**
 * @param {unknown} error
 * @param {boolean} [loading] only what stands above our own functions: who called us is not meant
 * @returns {string} "/path/of/file.js:12", "" when it is nowhere in the user's code
 */
function placeOf(error, loading = false) {
  const lines = String((error && error.stack) || '').split('\n')
  const heading = HEADING.exec(lines[0])
  if (heading) return `${fileOf(heading[1])}:${heading[2]}`
  for (const line of lines) {
    const frame = FRAME.exec(line)
    if (!frame) continue
    const file = fileOf(frame[1])
    if (!isOwn(file)) return `${file}:${frame[2]}`
    if (loading) break
  }
  return ''
}

/**
 * @param {unknown} error whatever was thrown
 * @returns {string} its first line, with its name where that says more than "Error"
 */
function wordsOf(error) {
  if (!(error instanceof Error)) return `threw ${String(error)}`
  const [first] = String(error.message || error.code || error.name).split('\n')
  return ['Error', first].includes(error.name) ? first : `${error.name}: ${first}`
}

/**
 * @param {unknown} error from a function of the user's
 * @param {string} [module] that was asked for
 * @returns {string} one line: place and reason
 */
function faultLine(error, module) {
  const place = placeOf(error) || (error instanceof Error ? '' : module)
  return place ? `${place}: ${wordsOf(error)}` : wordsOf(error)
}

module.exports = { faultLine, placeOf, wordsOf }
