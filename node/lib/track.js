'use strict'

// Progress and report of a run, as text. Listens to `start`, `tick` and `done` only: a listener
// of `response` would have every answer handed to JavaScript.

const { isMainThread } = require('worker_threads')
const ProgressBar = require('progress')
const { hasColours, palette } = require('./colours')
const { printResult } = require('./print_result')
const { startSpinner } = require('./spinner')

const BAR_WIDTH = 20

/**
 * @param {import('events').EventEmitter & {opts: object}} instance what carronade() returned
 * @param {object} [opts]
 * @param {NodeJS.WritableStream} [opts.outputStream] default: process.stderr
 * @param {boolean} [opts.renderProgressBar] the header, and on a terminal a bar (default: true)
 * @param {boolean} [opts.renderResultsTable] the report at the end (default: true)
 * @param {boolean} [opts.renderLatencyTable] in it, the percentiles
 * @param {boolean} [opts.renderStatusCodes] in it, the status codes
 * @param {boolean} [opts.verbose] false: only the last lines of the report
 * @param {string} [opts.progressBarString] format of the package "progress"
 * @param {boolean} [opts.warmupRunning] call it a warm-up
 * @throws {Error} an instance that is none
 */
function track(instance, opts) {
  if (!instance) throw new Error('instance required for tracking')
  if (typeof instance.on !== 'function') {
    throw new Error('instance must be what carronade() returned, to be tracked')
  }
  const options = {
    outputStream: process.stderr,
    renderProgressBar: true,
    renderResultsTable: true,
    ...opts
  }
  let progress = null
  instance.on('start', () => {
    if (!options.renderProgressBar || !isMainThread) return
    options.outputStream.write(headerText(instance.opts, options.warmupRunning))
    progress = startProgress(instance.opts, options)
  })
  instance.on('tick', (tick) => progress && progress.tick(tick))
  instance.on('done', (result) => {
    if (progress) progress.end()
    progress = null
    if (options.renderResultsTable === false) return
    options.outputStream.write(printResult(result, options))
  })
}

function headerText(run, warmup) {
  const length = run.amount ? `${run.amount} requests` : `${run.duration}s`
  const socket = run.socketPath ? ` (${run.socketPath})` : ''
  const lines = [`Running ${length} ${warmup ? 'warmup' : 'test'} @ ${run.url}${socket}`]
  const depth = run.pipelining > 1 ? ` with ${run.pipelining} pipelining factor` : ''
  lines.push(`${run.connections} connections${depth}`)
  if (run.workers) lines.push(`${run.workers} workers`)
  return lines.join('\n') + '\n\n'
}

function startProgress(run, options) {
  const stream = options.outputStream
  if (!stream.isTTY) return null
  if (run.workers) return { tick() {}, end: startSpinner(stream) }
  const paint = palette(hasColours(stream))
  const word = paint.green(options.warmupRunning ? 'warmup' : 'running')
  const total = run.amount || run.duration
  const bar = new ProgressBar(options.progressBarString || `${word} [:bar] :percent`, {
    width: BAR_WIDTH,
    incomplete: ' ',
    total,
    clear: true,
    stream
  })
  bar.tick(0)
  return run.amount ? amountProgress(bar, total) : durationProgress(bar, total)
}

function amountProgress(bar, amount) {
  let answered = 0
  return {
    tick({ counter }) {
      answered += counter
      advance(bar, answered / amount)
    },
    end: () => finish(bar)
  }
}

function durationProgress(bar, seconds) {
  const start = Date.now()
  return {
    tick: () => advance(bar, (Date.now() - start) / 1000 / seconds),
    end: () => finish(bar)
  }
}

// The bar takes itself away when it is full, which it shall be only at the end.
function advance(bar, ratio) {
  if (!bar.complete && ratio < 1) bar.update(ratio)
}

function finish(bar) {
  if (!bar.complete) bar.update(1)
}

module.exports = { track }
