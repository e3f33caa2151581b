'use strict'

// loadtest's report and progress lines as text, with the layout and the rounding of the native
// command (src/dialects/loadtest).

/**
 * @param {number} number
 * @param {number} digits
 * @returns {number} rounded half up
 */
function rounded(number, digits) {
  const scale = 10 ** digits
  return Math.floor(number * scale + 0.5) / scale
}

// Three digits below 1 ms, two below 10 ms, one above.
function latencyText(ms) {
  return Number.isFinite(ms) ? `${rounded(ms, ms >= 10 ? 1 : ms >= 1 ? 2 : 3)} ms` : 'n/a'
}

function meanText(ms) {
  return Number.isFinite(ms) ? `${rounded(ms, ms >= 1 ? 1 : 3)} ms` : 'n/a'
}

/**
 * @param {number} requests
 * @param {number} seconds
 * @param {number} [answered] of the requests
 * @returns {number} a whole number, but for fewer than 10 a second; NaN for no time at all, or for
 *     next to none when nothing was answered: a name that cannot be found is no rate
 */
function rateOf(requests, seconds, answered = requests) {
  if (!(seconds > 0) || (answered === 0 && seconds < LEAST_SECONDS)) return NaN
  const rate = requests / seconds
  return rounded(rate, rate < 10 ? 2 : 0)
}

// Of a run without answers.
const LEAST_SECONDS = 0.001

const rateText = (rate) => Number.isNaN(rate) ? 'n/a' : rate

const PER_LINE = 21
const line = (label, value) => `${`${label}:`.padEnd(PER_LINE)}${value}`

/**
 * @param {import('./loadtest_result').Result} result
 * @returns {string} the report, without a line end at the end
 */
function reportText(result) {
  const lines = ['', ...asked(result), '', ...found(result), '', ...percentileLines(result)]
  const codes = Object.entries(result.errorCodes)
  if (result.totalErrors > 0 && codes.length > 0) {
    lines.push('')
    for (const [code, count] of codes) lines.push(` ${code.padStart(4)}:   ${count} errors`)
  }
  return lines.join('\n')
}

function asked(result) {
  const lines = [line('Target URL', result.url)]
  if (result.maxRequests) lines.push(line('Max requests', result.maxRequests))
  else if (result.maxSeconds) lines.push(line('Max time (s)', result.maxSeconds))
  if (result.requestsPerSecond) lines.push(line('Target rps', result.requestsPerSecond))
  lines.push(line('Concurrent clients', result.clients))
  if (result.cores > 1) lines.push(line('Running on cores', result.cores))
  lines.push(line('Agent', result.agent))
  return lines
}

function found(result) {
  return [
    line('Completed requests', result.totalRequests),
    line('Total errors', result.totalErrors),
    line('Total time', `${rounded(result.elapsedSeconds, 3)} s`),
    line('Mean latency', meanText(result.meanLatencyMs)),
    line('Effective rps', rateText(result.effectiveRps))
  ]
}

function percentileLines({ percentiles, maxLatencyMs, meanLatencyMs }) {
  const longest = Number.isNaN(meanLatencyMs) ? NaN : maxLatencyMs
  return [
    'Percentage of requests served within a certain time',
    ...Object.entries(percentiles).map(([percent, ms]) =>
      `${`${percent}`.padStart(4)}%      ${latencyText(ms)}`),
    ` 100%      ${latencyText(longest)} (longest request)`
  ]
}

/**
 * @typedef {object} Counts sums since the start
 * @property {number} answered
 * @property {number} errors of the answered, statuses from 400 on
 * @property {number} lost
 * @property {number} latencyMs of the answered, added up
 */

/**
 * @param {Counts} now
 * @param {Counts} before at the last line
 * @param {number} seconds between the two
 * @param {number} maxRequests 0 for none
 * @returns {string} one line, and a second one when there are errors
 */
function progressText(now, before, seconds, maxRequests) {
  const total = now.answered + now.lost
  const fresh = total - before.answered - before.lost
  const answered = now.answered - before.answered
  const mean = answered > 0 ? (now.latencyMs - before.latencyMs) / answered : NaN
  const percent = maxRequests ? ` (${rounded(100 * total / maxRequests, 0)}%)` : ''
  const first = `Requests: ${total}${percent}, requests per second: ` +
    `${rateText(rateOf(fresh, seconds))}, mean latency: ${meanText(mean)}`
  const errors = now.errors + now.lost
  if (errors === 0) return first
  const freshErrors = errors - before.errors - before.lost
  const share = rounded(100 * errors / total, 1)
  return `${first}\nErrors: ${freshErrors}, accumulated errors: ${errors}, ` +
    `${share}% of total requests`
}

/**
 * @param {import('./loadtest_result').Result} result
 * @returns {string[]} what the report has no place for
 */
function notesOf({ carronade, totalRequests }) {
  const notes = carronade.errors.map(({ count, text }) => `${count} x ${text}`)
  // The engine's; Node's own client says it in other words, and goes by NODE_EXTRA_CA_CERTS.
  if (carronade.errors.some(({ kind, text }) => kind === 'tls_certificate' && ENGINE.test(text))) {
    notes.push("trusted are the system's certificates and those in the file that SSL_CERT_FILE " +
      'names; --insecure accepts any')
  }
  if (carronade.unsent > 0) {
    notes.push(`${plural(carronade.unsent, 'request')} due and not sent: no connection was free, ` +
      'or the time was over')
  }
  // A few are always under way when a time is over.
  if (carronade.inFlight > Math.floor(totalRequests / 100)) {
    notes.push(`${plural(carronade.inFlight, 'request')} in flight at the end, without an answer ` +
      'so far: in none of the figures')
  }
  if (carronade.retried > 0) {
    notes.push(`${plural(carronade.retried, 'request')} sent again after the server had closed ` +
      'an idle connection')
  }
  return notes
}

const ENGINE = /^tls /

const plural = (count, noun) => `${count} ${noun}${count === 1 ? ' was' : 's were'}`

module.exports = { rateOf, reportText, progressText, notesOf }
