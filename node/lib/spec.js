'use strict'

// The options as the native engine takes them.

const { bodyOf, checkMethod, headerPairs, pathWithId } = require('./request_bytes')

// Longer than anybody waits, and what the engine can count in.
const LONGEST_MS = 3e12

/**
 * @param {object} opts validated
 * @param {import('./targets').Target[]} targets
 * @param {object} mode
 * @param {boolean} mode.inLoop turned by Node's loop
 * @param {boolean} mode.ownRequests JavaScript makes the requests
 * @param {boolean} mode.ownExpectation JavaScript compares the bodies
 * @returns {object} the argument of the binding's Engine
 * @throws {Error} options that exclude each other
 */
function engineSpec(opts, targets, mode) {
  if (mode.ownRequests && (opts.template || opts.data)) {
    throw new Error('template fills in requests that no callback makes: use setupRequest, or ' +
      'leave out setupClient, requests with callbacks and listeners of response')
  }
  return {
    targets: targets.map((target) => nativeTarget(opts, target, mode.ownRequests)),
    connections: opts.connections,
    pipelining: opts.pipelining,
    workers: mode.inLoop ? 1 : opts.workers || 1,
    timeoutMs: opts.timeout * 1000,
    sampleIntMs: Math.max(opts.sampleInt, 1),
    excludeErrorStats: Boolean(opts.excludeErrorStats),
    ...given({
      socketPath: opts.socketPath,
      bailout: opts.bailout,
      reconnectRate: opts.reconnectRate,
      localAddresses: [].concat(opts.localAddress || []),
      expectBody: opts.verifyBody || mode.ownExpectation ? undefined : opts.expectBody
    }),
    ...(mode.ownRequests ? {} : placeholders(opts)),
    ...limits(opts),
    ...rates(opts),
    ...(targets.some((target) => target.protocol === 'https:') ? { tls: tlsSpec(opts) } : {})
  }
}

/**
 * @param {object} opts
 * @param {import('./targets').Target} target
 * @returns {object[]} the requests to it, each as the user gave it
 */
function requestsFor(opts, target) {
  const recorded = recordedFor(opts, target)
  if (recorded) return recorded.map(replayed)
  return opts.requests && opts.requests.length > 0 ? opts.requests : [{}]
}

const recordedFor = (opts, target) =>
  opts.harRequests ? opts.harRequests.get(target.origin) : undefined

/**
 * @param {object} opts
 * @param {import('./targets').Target} target
 * @returns {object} what a request has that does not say otherwise
 */
function requestDefaults(opts, target) {
  // An archive's requests have no body but their own.
  const form = recordedFor(opts, target) ? undefined : opts.form
  const body = recordedFor(opts, target) ? undefined : opts.body
  return {
    method: opts.method,
    path: target.path,
    headers: form ? { ...opts.headers, ...form.headers } : opts.headers || {},
    body: form ? form.body : body,
    protocol: target.protocol,
    origin: target.origin,
    host: target.host,
    hostname: target.hostname,
    port: target.port
  }
}

// An archive of HTTP/2 has the request line among the headers (":method").
function replayed(request) {
  const own = Object.entries(request.headers).filter(([name]) => !name.startsWith(':'))
  return { ...request, headers: Object.fromEntries(own) }
}

function nativeTarget(opts, target, ownRequests) {
  if (ownRequests) return { url: target.url, method: 'GET', path: '/', headers: [] }
  const list = requestsFor(opts, target).map((request) => nativeRequest(opts, target, request))
  return list.length === 1 ? { url: target.url, ...list[0] } : { url: target.url, sequence: list }
}

function nativeRequest(opts, target, request) {
  const defaults = requestDefaults(opts, target)
  const whole = { ...defaults, ...request }
  checkMethod(whole.method)
  const headers = headerPairs({ ...defaults.headers, ...request.headers })
  const authorized = headers.some(([name]) => name.toLowerCase() === 'authorization')
  if (target.authorization && !authorized) headers.push(['Authorization', target.authorization])
  return {
    method: whole.method,
    path: withPlaceholders(opts, String(whole.path)),
    headers,
    body: bodyOf(whole.body)
  }
}

// The URL parser has encoded them, in part or all.
function withPlaceholders(opts, path) {
  const ids = opts.idReplacement ? pathWithId(path, '[<id>]') : path
  if (!opts.template && !opts.data) return ids
  return ids.replace(/(?:\{\{|%7B%7B).*?(?:\}\}|%7D%7D)/gi, decodeURIComponent)
}

function placeholders(opts) {
  return given({
    ids: opts.idReplacement,
    templates: opts.template || Boolean(opts.data),
    dataFile: opts.data,
    dataMode: opts.dataMode
  })
}

// An amount takes the place of the duration, and each limit of those behind it.
function limits(opts) {
  if (opts.amount) return { amount: opts.amount }
  const durationMs = Math.min(Math.max(opts.duration * 1000, 1), LONGEST_MS)
  if (opts.maxConnectionRequests) {
    return { durationMs, maxConnectionRequests: opts.maxConnectionRequests }
  }
  return { durationMs, ...given({ amount: opts.maxOverallRequests }) }
}

function rates(opts) {
  if (opts.connectionRate) return { connectionRate: opts.connectionRate }
  return given({ overallRate: opts.overallRate })
}

function tlsSpec(opts) {
  const tls = opts.tlsOptions || {}
  const pfx = first(tls.pfx)
  const key = first(tls.key)
  return given({
    servername: servername(opts, tls),
    ca: [].concat(tls.ca || []).map((item) => bytes(item, 'ca')),
    cert: tls.cert && Buffer.concat(
      [].concat(tls.cert).map((part) => Buffer.from(bytes(part, 'cert')))),
    key: key && bytes(key.pem || key, 'key'),
    pfx: pfx && Buffer.from(bytes(pfx.buf || pfx, 'pfx')),
    passphrase: (key && key.passphrase) || (pfx && pfx.passphrase) || tls.passphrase
  })
}

// undefined: the URL's host, unless it is an address.
function servername(opts, tls) {
  if (opts.servername === false) return false
  return opts.servername || tls.servername || undefined
}

const first = (value) => Array.isArray(value) ? value[0] : value
// A Buffer that went through a worker arrives as its base class.
function bytes(value, name) {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value)
  throw new Error(`tlsOptions.${name} must be a string or a Buffer: the contents, not a path`)
}

function given(values) {
  const kept = {}
  for (const [key, value] of Object.entries(values)) {
    const empty = Array.isArray(value) && value.length === 0
    if (value !== undefined && value !== null && value !== 0 && value !== '' && !empty) {
      kept[key] = value
    }
  }
  return kept
}

module.exports = { engineSpec, requestsFor, requestDefaults }
