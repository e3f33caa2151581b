'use strict'

// Every option is looked at once, before anything is sent. What the user gave is never changed.

const defaults = require('./defaults')
const { parseDuration } = require('./duration')
const { buildForm } = require('./form')
const { parseHar } = require('./har')
const { loadFunction } = require('./load_function')
const { checkShapes } = require('./option_shapes')
const { plainUrl } = require('./targets')

// A member of the list is [option, its name in the message].
const AT_LEAST_ONE = [
  ['bailout', 'bailout threshold'],
  ['connectionRate', 'connectionRate'],
  ['overallRate', 'bailout overallRate'],
  ['amount', 'amount'],
  ['maxConnectionRequests', 'maxConnectionRequests'],
  ['maxOverallRequests', 'maxOverallRequests']
]
const NUMBERS = [
  'connections', 'pipelining', 'timeout', 'bailout', 'connectionRate', 'overallRate', 'amount',
  'maxConnectionRequests', 'maxOverallRequests', 'reconnectRate', 'workers'
]
// As in the engine: an hour.
const LONGEST_SAMPLE_MS = 3600000
const FOREVER_CALLBACK = 'should not use the callback parameter when the `forever` option is ' +
  'set to true. Use the `done` event on this event emitter'

/**
 * @param {object} given
 * @param {boolean} callbackGiven
 * @returns {object|Error} a new object with defaults filled in, the duration in seconds and
 *     module paths loaded (unless `workers` will do that), or what is wrong
 */
function validate(given, callbackGiven) {
  try {
    return checked(given || {}, callbackGiven)
  } catch (error) {
    return error
  }
}

function checked(given, callbackGiven) {
  for (const [key, label] of AT_LEAST_ONE) atLeastOne(given[key], label)
  checkShapes(given)
  const opts = withFunctions({ ...defaults, ...given })
  if (given.form && !given.method) opts.method = 'POST'
  if (opts.json === true) {
    opts.renderProgressBar = opts.renderResultsTable = opts.renderLatencyTable = false
  }
  opts.url = plainUrl(opts.url)
  if (!isUrl(opts.url) && !opts.socketPath) throw new Error('url or socketPath option required')
  opts.duration = durationOf(opts.duration)
  opts.sampleInt = sampleIntervalOf(opts.sampleInt)
  if (opts.expectBody && given.requests !== undefined) {
    throw new Error('expectBody cannot be used in conjunction with requests')
  }
  // Looked at here also when each worker builds its own, so that a mistake shows at once.
  if (opts.form) {
    const form = buildForm(opts.form)
    if (!opts.workers) opts.form = form
  }
  opts.harRequests = opts.har ? parseHar(opts.har) : new Map()
  atLeastOne(opts.connections, 'connections')
  atLeastOne(opts.pipelining, 'pipelining factor')
  if (opts.workers < 0) throw new Error('workers can not be less than 0')
  if (opts.timeout < 1) throw new Error('timeout must be greater than 0')
  if (opts.ignoreCoordinatedOmission && !opts.connectionRate && !opts.overallRate) {
    throw new Error(
      'ignoreCoordinatedOmission makes no sense without connectionRate or overallRate'
    )
  }
  if (opts.forever && callbackGiven) throw new Error(FOREVER_CALLBACK)
  if (opts.forever && opts.workers) {
    throw new Error("Using `forever` option isn't currently supported with workers")
  }
  for (const key of NUMBERS) opts[key] = numberOf(key, opts[key])
  return opts
}

function atLeastOne(value, label) {
  if (value !== null && value < 1) throw new Error(`${label} can not be less than 1`)
}

// undefined and null stand for "not given".
function numberOf(key, value) {
  if (value === undefined || value === null || value === false) return defaults[key]
  const number = Number(value)
  if (!Number.isFinite(number)) throw new Error(`${key} must be a number, not ${value}`)
  return key === 'timeout' || key.endsWith('Rate') ? number : Math.ceil(number)
}

const isUrl = (url) => (typeof url === 'string' && url !== '') ||
  (Array.isArray(url) && url.length > 0)

function durationOf(value) {
  let seconds = value
  if (typeof value === 'string') {
    // Between number and unit the parser below takes no sign.
    if (/^\s*-/.test(value) && /\d/.test(value)) throw negativeDuration()
    seconds = /[a-z]/i.test(value) ? parseDuration(value) : Number(value.trim())
  }
  if (typeof seconds !== 'number' || Number.isNaN(seconds)) {
    throw new Error('duration entered was in an invalid format')
  }
  if (seconds < 0) throw negativeDuration()
  return seconds
}

const negativeDuration = () => new Error('duration can not be less than 0')

function sampleIntervalOf(value) {
  const interval = parseFloat(value)
  if (Number.isNaN(interval)) {
    throw new Error('sample interval entered was in an invalid format')
  }
  if (interval < 0) throw new Error('sample interval can not be less than 0')
  if (interval > LONGEST_SAMPLE_MS) {
    throw new Error(`sampleInt can not be more than ${LONGEST_SAMPLE_MS} ms, not ${value}`)
  }
  return interval
}

/**
 * @param {object} opts what validate() gave for a run with workers
 * @returns {object} what a worker's own run is made of: modules loaded, the form built
 * @throws {Error} a module that cannot be loaded in this thread
 */
function forWorker(opts) {
  const own = withFunctions({ ...opts, workers: 0 })
  if (own.form) own.form = buildForm(own.form)
  return own
}

function withFunctions(opts) {
  const take = (value, name) => functionOf(value, name, Boolean(opts.workers))
  const result = { ...opts }
  if (opts.requests) {
    for (const name of ['setupRequest', 'onResponse']) {
      for (const request of opts.requests) checkFunction(request[name], name)
    }
    result.requests = opts.requests.map((request) => {
      const copy = { ...request }
      if (request.setupRequest) copy.setupRequest = take(request.setupRequest, 'setupRequest')
      if (request.onResponse) copy.onResponse = take(request.onResponse, 'onResponse')
      return copy
    })
  }
  for (const name of ['setupClient', 'verifyBody']) {
    checkFunction(opts[name], name)
    if (opts[name]) result[name] = take(opts[name], name)
  }
  return result
}

const functionError = (name) => new Error(
  `Invalid option ${name}, please provide a function (or file path when in workers mode)`
)

function checkFunction(value, name) {
  if (value && typeof value !== 'function' && typeof value !== 'string') throw functionError(name)
}

function functionOf(value, name, inWorkers) {
  if (inWorkers) {
    if (typeof value === 'string') return value
    throw new Error(`${name} must be the path of a module when there are workers: ` +
      'a function cannot be handed to another thread')
  }
  try {
    return loadFunction(value)
  } catch (cause) {
    throw Object.assign(functionError(name), { cause, message:
      `${functionError(name).message}: ${cause.message}` })
  }
}

module.exports = { validate, forWorker }
