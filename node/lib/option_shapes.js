'use strict'

// Options of another kind than the one that is expected, told by their names before anything
// looks into them.

/**
 * @param {object} given
 * @throws {Error} one line for the first that is wrong
 */
function checkShapes(given) {
  for (const name of ['headers', 'tlsOptions']) checkObject(given[name], name)
  // The command line's -W without a group is true: a warm-up like the run.
  if (given.warmup !== true) checkObject(given.warmup, 'warmup')
  if (typeof given.form !== 'string') {
    checkObject(given.form, 'form', ', its JSON or the path of a file with it')
  }
  checkRequests(given.requests)
}

function checkRequests(requests) {
  if (!requests) return
  if (!Array.isArray(requests)) throw wrong(requests, 'requests', 'a list of objects')
  for (const [index, request] of requests.entries()) {
    if (!isPlain(request)) throw wrong(request, `requests[${index}]`, 'an object')
    checkObject(request.headers, `requests[${index}].headers`)
  }
}

function checkObject(value, name, more = '') {
  if (value && !isPlain(value)) throw wrong(value, name, `an object${more}`)
}

// A list or a map has no fields of its own, and would pass for an empty one.
const isPlain = (value) => typeof value === 'object' && value !== null &&
  typeof value[Symbol.iterator] !== 'function' && !ArrayBuffer.isView(value)

function wrong(value, name, wanted) {
  return new Error(`${name} must be ${wanted}, not ${kindOf(value)}`)
}

function kindOf(value) {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return `a ${value.constructor.name}`
  return `a ${typeof value}`
}

module.exports = { checkShapes }
