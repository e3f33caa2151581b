'use strict'

// autocannon's text report of a result, byte for byte.

const { hasColours, palette } = require('./colours')
const { bytesText, countText, groupedText, floorTo2, ceilTo2, roundTo2 } = require('./number_text')
const { renderTable } = require('./text_table')

const PERCENTILES = [
  0.001, 0.01, 0.1, 1, 2.5, 10, 25, 50, 75, 90, 97.5, 99, 99.9, 99.99, 99.999
]

/** @param {number} percentile @returns {string} the key of a result: 97.5 → "p97_5" */
const keyOf = (percentile) => `p${percentile}`.replace('.', '_')

/**
 * @param {object} result of a run, ours or autocannon's
 * @param {object} [opts]
 * @param {{isTTY?: boolean}} [opts.outputStream] where it will go (default: process.stderr): says
 *   whether there may be colours
 * @param {boolean} [opts.verbose] false: only the last lines, no tables
 * @param {boolean} [opts.renderLatencyTable] add the table of percentiles
 * @param {boolean} [opts.renderStatusCodes] add the table of status codes
 * @returns {string} lines, each with its newline
 * @throws {Error} not the result of a run
 */
function printResult(result, opts) {
  checkResult(result)
  const options = { outputStream: process.stderr, verbose: true, ...opts }
  const shown = result.carronade ? inWholeNumbers(result) : result
  const lines = []
  if (options.verbose) {
    const paint = palette(hasColours(options.outputStream))
    lines.push('', latencyTable(shown.latency, paint), spreadTable(shown, paint))
    if (options.renderStatusCodes === true) lines.push(statusTable(shown.statusCodeStats, paint))
    lines.push('', sampleSentence(shown), `# of samples: ${shown.samples}`, '')
    if (options.renderLatencyTable) lines.push(percentileTable(shown.latency, paint), '')
  }
  lines.push(...lastLines(shown))
  return lines.map((line) => line + '\n').join('')
}

function checkResult(result) {
  for (const key of ['latency', 'requests', 'throughput']) {
    if (result && typeof result[key] === 'object' && result[key] !== null) continue
    throw new Error(`printResult() needs the result of a run: this has no ${key} (of parts ` +
      'made with skipAggregateResult aggregateResult() makes one)')
  }
}

// Our results have fractions of milliseconds; autocannon's tables have whole ones, averages
// rounded up to 2 decimals.
function inWholeNumbers(result) {
  return {
    ...result,
    duration: roundTo2(result.duration),
    latency: wholeStatistics(result.latency),
    requests: wholeStatistics(result.requests),
    throughput: wholeStatistics(result.throughput)
  }
}

function wholeStatistics(statistics = {}) {
  const whole = {}
  for (const [key, value] of Object.entries(statistics)) {
    const rounded = ['average', 'mean', 'stddev'].includes(key)
    whole[key] = rounded ? ceilTo2(value) : Math.floor(value)
  }
  return whole
}

function table(headings, rows, paint) {
  const head = headings.map((text) => ({ text, paint: paint.heading, paintAll: paint.red }))
  return renderTable(head, rows, paint.grey)
}

const plain = (text) => ({ text: text === undefined ? '' : String(text) })
const floored = (value) => (typeof value === 'string' ? value : floorTo2(value))

function latencyTable(latency, paint) {
  const ms = (key) => plain(latency[key] === undefined ? undefined : `${latency[key]} ms`)
  const max = typeof latency.max === 'string' ? latency.max : `${floorTo2(latency.max)} ms`
  return table(['Stat', '2.5%', '50%', '97.5%', '99%', 'Avg', 'Stdev', 'Max'], [[
    { text: 'Latency', paint: paint.bold },
    ms('p2_5'), ms('p50'), ms('p97_5'), ms('p99'), ms('average'), ms('stddev'), plain(max)
  ]], paint)
}

function spreadTable({ requests, throughput }, paint) {
  return table(['Stat', '1%', '2.5%', '50%', '97.5%', 'Avg', 'Stdev', 'Min'], [
    spreadRow('Req/Sec', requests, groupedText, paint),
    spreadRow('Bytes/Sec', throughput, bytesText, paint)
  ], paint)
}

function spreadRow(name, statistics, text, paint) {
  const cell = (key) =>
    plain(statistics[key] === undefined ? undefined : text(statistics[key]))
  return [
    { text: name, paint: paint.bold },
    cell('p1'), cell('p2_5'), cell('p50'), cell('p97_5'), cell('average'), cell('stddev'),
    statistics.min === undefined ? plain(floored(undefined)) : cell('min')
  ]
}

function statusTable(statusCodeStats, paint) {
  const rows = Object.entries(statusCodeStats).map(([code, { count }]) => [
    { text: code, paint: code >= 400 ? paint.brightRed : paint.cyan },
    plain(count)
  ])
  return table(['Code', 'Count'], rows, paint)
}

function percentileTable(latency, paint) {
  const rows = PERCENTILES.map((percentile) => [
    { text: String(percentile), paint: paint.bold },
    plain(latency[keyOf(percentile)])
  ])
  return table(['Percentile', 'Latency (ms)'], rows, paint)
}

function sampleSentence({ sampleInt }) {
  if (sampleInt === 1000) return 'Req/Bytes counts sampled once per second.'
  return `Req/Bytes counts sampled every ${sampleInt / 1000} seconds.`
}

function lastLines(result) {
  const lines = []
  if (result.non2xx) {
    lines.push(`${result['2xx']} 2xx responses, ${result.non2xx} non 2xx responses`)
  }
  lines.push(`${countText(result.requests.sent)} requests in ${result.duration}s, ` +
    `${bytesText(result.throughput.total)} read`)
  if (result.errors) {
    lines.push(`${countText(result.errors)} errors (${countText(result.timeouts)} timeouts)`)
  }
  if (result.mismatches) {
    lines.push(`${countText(result.mismatches)} requests with mismatched body`)
  }
  if (result.resets) {
    const times = result.resets === 1 ? 'time' : 'times'
    lines.push(`request pipeline was reset ${countText(result.resets)} ${times}`)
  }
  return lines
}

module.exports = { printResult, PERCENTILES, keyOf }
