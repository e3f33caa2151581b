'use strict'

// What runs in each thread of runWorkers(). Says {ready} when setupClient and the first requests
// are through, then waits for "start"; anything thrown ends the thread and reaches the main one
// as its 'error'.

const { EventEmitter } = require('events')
const { parentPort, workerData } = require('worker_threads')
const { EngineRun } = require('./engine_run')
const { forWorker } = require('./validate')

const REPORT_MS = 100

// A Buffer arrives as a Uint8Array.
function withBuffers(value) {
  if (value instanceof Uint8Array) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
  if (Array.isArray(value)) return value.map(withBuffers)
  if (typeof value !== 'object' || value === null) return value
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBuffers(item)]))
}

// What there is to tell since the last time.
class Reporter {
  constructor(run, tracker) {
    this._run = run
    this._answered = 0
    this._bytes = 0
    this._losses = []
    tracker.on('reqError', ({ kind, message }) => this._losses.push({ kind, text: message }))
  }

  send(more) {
    const { answered, bytes, errors } = this._run.progress()
    const tick = { counter: answered - this._answered, bytes: bytes - this._bytes }
    parentPort.postMessage({ tick, errors, losses: this._losses, ...more })
    this._answered = answered
    this._bytes = bytes
    this._losses = []
  }
}

function main() {
  const tracker = new EventEmitter()
  const opts = forWorker(withBuffers(workerData.opts))
  const run = new EngineRun(opts, tracker)
  const reporter = new Reporter(run, tracker)
  let launched = false
  parentPort.on('message', (command) => {
    if (command === 'start') {
      launched = true
      launch(run, reporter, opts.sampleInt)
      return
    }
    run.stop()
    if (command === 'abandon' && !launched) parentPort.close()
  })
  parentPort.postMessage({ ready: true })
}

function launch(run, reporter, sampleInt) {
  const timer = setInterval(() => reporter.send(), Math.min(REPORT_MS, sampleInt || 1))
  run.launch((outcome) => {
    clearInterval(timer)
    // What a listener of `done` threw comes first, and ends the thread.
    setImmediate(() => {
      reporter.send({ outcome })
      parentPort.close()
    })
  })
}

main()
