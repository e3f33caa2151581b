'use strict'

// What a load test found, with the fields of loadtest's Result.

const binding = require('../native')
const { rateOf, reportText } = require('./loadtest_report')
const { lostRequests } = require('./lost_requests')

const PERCENTILES = ['50', '90', '95', '99']

/**
 * Times are milliseconds with fractions, NaN when nothing was answered. A request counts when it
 * was answered, failed or timed out; a connection that could not be made counts as one, too. Errors
 * that ended no request are in `carronade.errors` alone.
 */
class Result {
  constructor() {
    this.url = null
    this.cores = 0
    this.maxRequests = 0
    this.maxSeconds = 0
    this.concurrency = 0
    this.agent = null
    this.requestsPerSecond = undefined
    this.clients = 0
    this.startTimeMs = Infinity
    this.stopTimeMs = 0
    this.elapsedSeconds = 0
    this.totalRequests = 0
    this.totalErrors = 0
    this.totalTimeSeconds = 0
    this.accumulatedMs = 0
    this.maxLatencyMs = 0
    this.minLatencyMs = Infinity
    this.errorCodes = {}
    this.histogramMs = {}
    this.meanLatencyMs = NaN
    this.effectiveRps = 0
    this.rps = 0
    this.percentiles = Object.fromEntries(PERCENTILES.map((percent) => [percent, NaN]))
    this.instanceIndex = undefined
    /** What loadtest does not tell: errors by reason, what was in flight, the verdict. */
    this.carronade = hiding({ errors: [], inFlight: 0, unsent: 0, retried: 0, verdict: null }, null)
  }

  /** Writes the report to standard output. */
  show() {
    console.info(reportText(this))
  }

  /**
   * Adds another result to this one, as of a part of the same test that another process ran. What
   * is no longer whole, because it went through JSON without its state, is added by whole ms.
   * @param {object} other a Result, or what JSON made of one
   */
  combine(other) {
    const parts = { mine: this.carronade.state, other: stateOf(other) }
    const first = this.totalRequests === 0 && this.cores === 0
    this.url = this.url || other.url
    this.cores += 1
    this.maxRequests += other.maxRequests || 0
    this.maxSeconds = this.maxSeconds || other.maxSeconds
    this.concurrency = this.concurrency || other.concurrency
    this.agent = this.agent || other.agent
    if (other.requestsPerSecond) {
      this.requestsPerSecond = (this.requestsPerSecond || 0) + other.requestsPerSecond
    }
    this.clients += other.clients
    this.startTimeMs = Math.min(this.startTimeMs, other.startTimeMs)
    this.stopTimeMs = Math.max(this.stopTimeMs, other.stopTimeMs)
    this.elapsedSeconds = (this.stopTimeMs - this.startTimeMs) / 1000
    this.totalRequests += other.totalRequests
    this.totalErrors += other.totalErrors
    this._addLatencies(other)
    addCounts(this.errorCodes, other.errorCodes)
    addCounts(this.histogramMs, other.histogramMs)
    this._addDetails(other.carronade || {}, first, parts)
    this._derive()
  }

  // Where nothing was answered there is no longest and no shortest: NaN, or null behind JSON.
  _addLatencies(other) {
    if (sum(other.histogramMs || {}) > 0) {
      const some = sum(this.histogramMs) > 0
      this.accumulatedMs += other.accumulatedMs
      this.maxLatencyMs = some ? Math.max(this.maxLatencyMs, other.maxLatencyMs)
        : other.maxLatencyMs
      this.minLatencyMs = some ? Math.min(this.minLatencyMs, other.minLatencyMs)
        : other.minLatencyMs
    } else if (sum(this.histogramMs) === 0) {
      this.maxLatencyMs = this.minLatencyMs = NaN
    }
  }

  _addDetails(details, first, { mine, other }) {
    const { carronade } = this
    carronade.errors = errorsOf([...carronade.errors, ...(details.errors || [])])
    carronade.inFlight += details.inFlight || 0
    carronade.unsent += details.unsent || 0
    carronade.retried += details.retried || 0
    carronade.verdict = first ? details.verdict || null : null
    if (first) carronade.state = other
    else carronade.state = mine && other && binding.mergeStates([mine, other])
  }

  _derive() {
    const { state } = this.carronade
    this.totalTimeSeconds = this.elapsedSeconds
    const answered = sum(this.histogramMs)
    this.effectiveRps = rateOf(this.totalRequests, this.elapsedSeconds, answered)
    this.rps = this.effectiveRps
    this.meanLatencyMs = this.accumulatedMs / answered
    this.percentiles = state
      ? latencyOf(documentOf(state)).percentiles
      : byWholeMs(this.histogramMs)
  }
}

/**
 * @param {import('./loadtest_settings').Settings} settings
 * @param {object} run
 * @param {Buffer} run.state the engine's
 * @param {import('./outcomes').Outcomes} run.outcomes
 * @param {number} instanceIndex
 * @returns {Result}
 */
function resultOf(settings, { state, outcomes }, instanceIndex) {
  const document = documentOf(state)
  const { carronade } = document
  const histogramMs = binding.latencyByMs([state])
  const { mean, min, max, percentiles } = latencyOf(document)
  const errorCodes = codesOf(document, outcomes)
  const result = Object.assign(new Result(), {
    url: settings.target.url,
    cores: settings.cores,
    maxRequests: settings.maxRequests,
    maxSeconds: settings.maxSeconds,
    concurrency: settings.concurrency,
    agent: settings.tcp ? 'tcp' : settings.keepAlive ? 'keepalive' : 'none',
    requestsPerSecond: settings.rate || undefined,
    clients: settings.rate ? carronade.connections.peak : settings.concurrency * settings.cores,
    startTimeMs: Date.parse(document.start),
    elapsedSeconds: document.duration,
    totalRequests: carronade.requests.answered + lostOf(carronade),
    totalErrors: sum(errorCodes),
    accumulatedMs: sum(histogramMs) === 0 ? 0 : mean * sum(histogramMs),
    maxLatencyMs: max,
    minLatencyMs: min,
    errorCodes,
    histogramMs,
    instanceIndex
  })
  result.stopTimeMs = result.startTimeMs + result.elapsedSeconds * 1000
  result.carronade = hiding({
    errors: carronade.errors,
    inFlight: carronade.requests.inFlight,
    unsent: settings.rate ? Math.max(carronade.requests.dropped - unmadeOf(carronade), 0) : 0,
    retried: carronade.requests.retried,
    verdict: carronade.verdict
  }, state)
  result.totalTimeSeconds = result.elapsedSeconds
  result._derive()
  result.meanLatencyMs = mean
  result.percentiles = percentiles
  return result
}

// The state is no part of what is printed or sent.
function hiding(details, state) {
  return Object.defineProperty(details, 'state', { value: state, writable: true })
}

const documentOf = (state) => JSON.parse(binding.resultDocument([state], { urls: [] }))

// The engine counts in ns.
function latencyOf({ carronade }) {
  const { latency } = carronade
  const ms = (ns) => latency.count === 0 ? NaN : ns / 1e6
  const percentiles = {}
  for (const percent of PERCENTILES) percentiles[percent] = ms(latency[`p${percent}`])
  return { mean: ms(latency.mean), min: ms(latency.min), max: ms(latency.max), percentiles }
}

// By status, those without an answer under -1, and what contentInspector found.
function codesOf({ carronade, statusCodeStats }, { customCodes, renamed }) {
  const codes = {}
  for (const [status, { count }] of Object.entries(statusCodeStats)) {
    const left = count - (renamed[status] || 0)
    if (Number(status) >= 400 && left > 0) codes[status] = left
  }
  // A handshake that was refused is told by its status, as a request would be.
  let refused = 0
  const upgrades = carronade.websocket ? carronade.websocket.handshakes.refused : {}
  for (const [status, count] of Object.entries(upgrades)) {
    if (Number(status) < 400) continue
    codes[status] = (codes[status] || 0) + count
    refused += count
  }
  const lost = lostOf(carronade) - refused
  if (lost > 0) codes['-1'] = lost
  addCounts(codes, customCodes)
  return codes
}

// Connections that could not be made: each has taken a request with it.
const unmadeOf = (carronade) =>
  lostOf(carronade) - carronade.errors.reduce((count, row) => count + row.requests, 0)

// A row for each reason, the most frequent first.
function errorsOf(rows) {
  const byReason = new Map()
  for (const row of rows) {
    const key = JSON.stringify([row.kind, row.phase, row.text])
    const known = byReason.get(key)
    if (known) {
      known.count += row.count
      known.requests += row.requests
    } else {
      byReason.set(key, { ...row })
    }
  }
  return [...byReason.values()].sort((a, b) => b.count - a.count)
}

const lostOf = ({ errors, requests }) =>
  errors.reduce((count, row) => count + lostRequests(row, requests.answered), 0)

function stateOf({ carronade }) {
  return (carronade && Buffer.isBuffer(carronade.state) && carronade.state) || null
}

function byWholeMs(histogram) {
  const total = sum(histogram)
  const rows = Object.entries(histogram).map(([ms, count]) => [Number(ms), count])
    .sort(([a], [b]) => a - b)
  const percentiles = {}
  for (const percent of PERCENTILES) {
    let before = 0
    const row = rows.find(([, count]) => {
      before += count
      return before >= total * percent / 100
    })
    percentiles[percent] = row ? row[0] : NaN
  }
  return percentiles
}

function addCounts(to, from) {
  for (const [key, count] of Object.entries(from || {})) to[key] = (to[key] || 0) + count
}

const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0)

module.exports = { Result, resultOf }
