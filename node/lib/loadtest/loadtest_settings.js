'use strict'

// The options of one load test and the configuration file, put together and checked. The objects
// that the user gave are read, never changed.

const fs = require('fs')
const { loadConfig } = require('./config')
const { indexOf } = require('./index_param')
const { cookieText, headerEntries, headerObject } = require('./loadtest_headers')
const { readUrl } = require('./loadtest_target')
const { messageOf, readBodyFile, writtenMessage } = require('./message')
const { importFunction } = require('./user_module')

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])
const DEFAULT_CONNECTIONS = 10
const DEFAULT_SECONDS = 10
// Of a WebSocket test that has no body.
const DEFAULT_MESSAGE = { some: 'message' }
// Where nothing else would end a test whose server does not answer.
const AMOUNT_TIMEOUT_MS = 60000
// The lowest and the highest version, as OpenSSL numbers them, of what Node calls a method.
const TLS_METHODS = {
  TLSv1: [0x301, 0x301],
  TLSv1_1: [0x302, 0x302],
  TLSv1_2: [0x303, 0x303],
  TLSv1_3: [0x304, 0x304],
  SSLv23: [0x301, 0x303],
  TLS: [0x301, 0x304]
}

/**
 * @typedef {object} Settings
 * @property {import('./loadtest_target').LoadtestTarget} target
 * @property {number} concurrency of each core
 * @property {number} cores 1 when JavaScript is called
 * @property {number} maxRequests 0: no limit
 * @property {number} maxSeconds 0: no limit
 * @property {number} rate requests per second, 0: as fast as the answers come
 * @property {number} timeoutMs 0: none
 * @property {boolean} keepAlive
 * @property {boolean} tcp
 * @property {boolean} websocket
 * @property {string} method in capitals
 * @property {Record<string, string | string[]>} headers
 * @property {import('./message').Message} message
 * @property {{finder: string | RegExp, next: () => unknown} | null} index
 * @property {Function | undefined} statusCallback
 * @property {Function | undefined} contentInspector
 * @property {Function | undefined} requestGenerator
 * @property {object} tls verify, cert, key, versions ([lowest, highest], 0: any), secureProtocol
 * @property {string} proxy "" for none
 * @property {boolean} quiet
 * @property {object} params what a request generator is given as its params
 */

/**
 * @param {object} given the user's
 * @param {{defaultCores?: number}} [defaults]
 * @returns {Promise<Settings>}
 * @throws {Error} one line for the person
 */
async function readSettings(given, { defaultCores = 1 } = {}) {
  if (typeof given !== 'object' || given === null) {
    throw new Error('Missing url: loadTest({url}) takes an object')
  }
  const target = readUrl(given.url)
  const websocket = target.scheme.startsWith('ws')
  const options = merged(given, await loadConfig())
  const generator = await generatorOf(options.requestGenerator)
  const { method, body, cause } = await bodyOf(options, Boolean(generator), websocket)
  const limits = limitsOf(options, defaultCores)
  const settings = {
    target,
    websocket,
    ...limits,
    method: checkedMethod(method, cause),
    keepAlive: Boolean(options.agentKeepAlive || options.tcp),
    tcp: Boolean(options.tcp),
    index: indexOf(options),
    statusCallback: functionOf(options, 'statusCallback'),
    contentInspector: functionOf(options, 'contentInspector'),
    requestGenerator: websocket ? undefined : generator,
    tls: tlsOf(options, websocket),
    proxy: proxyOf(options.proxy),
    quiet: Boolean(options.quiet),
    params: paramsOf(options, { url: target.url, method, body }, limits)
  }
  if (settings.proxy && settings.requestGenerator) {
    throw new Error('proxy: a requestGenerator has to give its requests an agent of its own')
  }
  settings.message = websocket && generator
    ? writtenMessage(generator, settings.params, { host: target.host, path: target.path })
    : messageOf(websocket && !body ? DEFAULT_MESSAGE : body,
      { contentType: options.contentType, json: websocket })
  settings.headers = headersOf(options, settings)
  // As the original has them: those that are sent.
  settings.params.headers = { ...settings.headers }
  if (callsFunctions(settings)) settings.cores = oneCore(options.cores)
  return settings
}

// What a request generator may look at.
function paramsOf({ config, ...options }, what, { concurrency, cores, maxRequests, maxSeconds }) {
  return { ...options, ...what, concurrency, cores, maxRequests, maxSeconds }
}

function headersOf(options, { message, target }) {
  return headerObject({
    host: target.host,
    own: options.headers,
    hasBody: Boolean(message.make || message.text),
    contentType: options.contentType,
    cookies: cookieText(options.cookies)
  })
}

function callsFunctions({ contentInspector, index, message, requestGenerator, statusCallback }) {
  return Boolean(requestGenerator || message.make || index || statusCallback || contentInspector)
}

// The API first, then the file; options with two or three names under one. 0 and false are said,
// too: they hold against the file, though not against another name of the same option.
function merged(given, config) {
  const either = (key, ...names) => {
    const said = [key, ...names].map((name) => given[name]).filter(isSaid)
    return said.find(Boolean) ?? said[0] ?? config[key]
  }
  const options = { ...given, config }
  for (const key of ['concurrency', 'maxRequests', 'maxSeconds', 'timeout', 'cookies', 'method',
    'secureProtocol', 'insecure', 'cert', 'key', 'proxy', 'requestGenerator']) {
    options[key] = either(key)
  }
  options.requestsPerSecond = either('requestsPerSecond', 'rps')
  options.agentKeepAlive = either('agentKeepAlive', 'keepalive', 'agent')
  options.indexParam = either('indexParam', 'index')
  options.headers = [...(config.headers || []), ...headerEntries(given.headers)]
  // The file's is a default, behind a header of the user's.
  const headed = options.headers.some(([name]) => name.toLowerCase() === 'content-type')
  options.contentType = given.contentType || (headed ? undefined : config.contentType)
  return options
}

const isSaid = (value) => value !== undefined && value !== null && value !== ''

function limitsOf(options, defaultCores) {
  const limits = {
    concurrency: count(options, 'concurrency') || DEFAULT_CONNECTIONS,
    cores: isSaid(options.cores) ? count(options, 'cores') || 1 : defaultCores,
    maxRequests: count(options, 'maxRequests'),
    maxSeconds: number(options, 'maxSeconds'),
    rate: number(options, 'requestsPerSecond'),
    timeoutMs: number(options, 'timeout')
  }
  if (!limits.maxRequests && !limits.maxSeconds) limits.maxSeconds = DEFAULT_SECONDS
  if (!isSaid(options.timeout) && !limits.maxSeconds) limits.timeoutMs = AMOUNT_TIMEOUT_MS
  return limits
}

// JavaScript has one thread.
function oneCore(asked) {
  if (asked > 1) {
    process.emitWarning(`cores: ${asked} — with functions of yours one core makes the requests`,
      'CarronadeWarning')
  }
  return 1
}

function number(options, name) {
  const given = options[name]
  if (!isSaid(given) || given === false) return 0
  const value = typeof given === 'string' ? Number(given) : given
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value
  throw new Error(`Invalid ${name} ${String(given)}: a number from 0 up, please`)
}

function count(options, name) {
  const value = number(options, name)
  if (Number.isSafeInteger(value)) return value
  throw new Error(`Invalid ${name} ${options[name]}: a whole number, please`)
}

function functionOf(options, name) {
  const given = options[name]
  if (given === undefined || given === null) return undefined
  if (typeof given === 'function') return given
  throw new Error(`Invalid ${name}: a function, please`)
}

function checkedMethod(method, cause) {
  const name = typeof method === 'string' ? method : String(method)
  const capitals = name.toUpperCase()
  const known = METHODS.has(capitals) && (name === capitals || name === name.toLowerCase())
  if (known) return capitals
  throw new Error(`Invalid method ${name}${cause}: ${[...METHODS].join(', ')}`)
}

async function generatorOf(given) {
  if (!given || typeof given === 'function') return given || undefined
  if (typeof given === 'string') return importFunction(given)
  throw new Error('Invalid requestGenerator: a function or the path of a module, please')
}

// A file takes the place of a text. A generator makes its own requests: files are not read for it.
async function bodyOf(options, generated, websocket) {
  const { config } = options
  const found = { method: options.method || 'GET', body: options.data, cause: '' }
  if (isGiven(options.body)) found.body = options.body
  let file
  for (const [key, method, isFile] of [['postBody', 'POST'], ['postFile', 'POST', true],
    ['putFile', 'PUT', true], ['patchBody', 'PATCH'], ['patchFile', 'PATCH', true]]) {
    if (!isGiven(options[key])) continue
    found.method = method
    if (isFile) file = options[key]
    else found.body = options[key]
  }
  if (!isGiven(found.body) && file === undefined) {
    if (isGiven(config.body)) found.body = config.body
    else file = config.file
  }
  if (file !== undefined && !generated) {
    const body = await readBodyFile(file)
    // There it is a text like any other, which goes out as JSON.
    found.body = websocket && typeof body !== 'function' ? body.toString() : body
  }
  return found
}

const isGiven = (value) =>
  value !== undefined && value !== null && value !== '' && value !== false

function tlsOf(options, websocket) {
  const { cert, key, secureProtocol } = options
  if (Boolean(cert) !== Boolean(key)) throw new Error('cert and key go together')
  return {
    // The original never checks a WebSocket server's certificate.
    verify: options.insecure !== true && !websocket,
    cert: cert && readPem(cert),
    key: key && readPem(key),
    secureProtocol,
    versions: versionsOf(secureProtocol)
  }
}

function readPem(file) {
  if (file instanceof Uint8Array) return Buffer.from(file)
  return fs.readFileSync(file)
}

function versionsOf(name) {
  if (!name) return [0, 0]
  const match = /^(TLSv1(?:_[123])?|SSLv23|TLS)(?:_(?:client|server))?_method$/.exec(name)
  if (match) return TLS_METHODS[match[1]]
  throw new Error(`Invalid secureProtocol ${String(name)}: TLS_method, TLSv1_2_method …`)
}

function proxyOf(given) {
  if (!given) return ''
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? String(given) : `http://${given}`
  let parsed
  try {
    parsed = new URL(text)
  } catch (error) {
    throw new Error(`Invalid proxy ${String(given)}: ${error.message}`)
  }
  if (parsed.protocol === 'http:') return text
  throw new Error(`Invalid proxy ${String(given)}: only http:// proxies are supported`)
}

module.exports = { readSettings }
