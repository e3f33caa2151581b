'use strict'

const assert = require('assert')
const { EventEmitter } = require('events')
const { Writable } = require('stream')
const { test } = require('node:test')
const { printResult } = require('../lib/print_result')
const { track } = require('../lib/track')
const recorded = require('./fixtures/autocannon_reports.json')

const result = recorded[0].result

// A run that is told what to say. Ticks of the bar need time, which mock clocks of Node 18 lack:
// a bar is judged by its first and its last state.
function fakeRun(opts) {
  const instance = new EventEmitter()
  instance.opts = { url: 'http://x', connections: 10, pipelining: 1, duration: 2, ...opts }
  return instance
}

function terminal(isTTY) {
  const written = []
  const stream = new Writable({
    write(chunk, encoding, done) {
      written.push(chunk.toString())
      done()
    }
  })
  stream.isTTY = isTTY
  stream.columns = 80
  stream.cursorTo = () => written.push('<start>')
  stream.clearLine = () => written.push('<clear>')
  stream.written = written
  return stream
}

function output(run, { isTTY = false, ticks = [], ...opts } = {}) {
  const outputStream = terminal(isTTY)
  const instance = fakeRun(run)
  track(instance, { outputStream, ...opts })
  instance.emit('start')
  for (const tick of ticks) instance.emit('tick', tick)
  instance.emit('done', result)
  return outputStream.written
}

const report = (opts) => printResult(result, { outputStream: terminal(false), ...opts })

test('the header says what is run', () => {
  assert.deepStrictEqual(output(), [
    'Running 2s test @ http://x\n10 connections\n\n', report()
  ])
  assert.strictEqual(output({ amount: 100, pipelining: 2, workers: 4 })[0],
    'Running 100 requests test @ http://x\n10 connections with 2 pipelining factor\n' +
    '4 workers\n\n')
  assert.strictEqual(output({ socketPath: '/tmp/s', url: ['http://x', 'http://y'] })[0],
    'Running 2s test @ http://x,http://y (/tmp/s)\n10 connections\n\n')
  assert.strictEqual(output({}, { warmupRunning: true })[0],
    'Running 2s warmup @ http://x\n10 connections\n\n')
})

test('header and report can be left out', () => {
  assert.deepStrictEqual(output({}, { renderProgressBar: false }), [report()])
  assert.strictEqual(output({}, { renderResultsTable: false }).length, 1)
  assert.deepStrictEqual(
    output({}, { renderProgressBar: false, renderLatencyTable: true, renderStatusCodes: true }),
    [report({ renderLatencyTable: true, renderStatusCodes: true })])
})

test('on a terminal a bar shows how far the run is, and is cleared at the end', () => {
  const written = output({ amount: 100 }, { isTTY: true, ticks: [{ counter: 50, bytes: 1 }] })
  const [, start, first] = written
  assert.strictEqual(start, '<start>')
  assert.match(first, /^(\x1b\[32m)?running(\x1b\[39m)? \[ {20}\] 0%$/)
  assert.strictEqual(written[written.length - 3], '<clear>')
})

test('the format of the bar is that of the package progress', () => {
  const written = output({}, { isTTY: true, progressBarString: ':current/:total :percent' })
  assert.strictEqual(written[2], '0/2 0%')
})

test('with workers a terminal shows a spinner, taken away before the report', () => {
  const written = output({ workers: 2 }, { isTTY: true })
  assert.strictEqual(written[1], ' \r')
  assert.strictEqual(written.length, 3)
})

test('listens to nothing that needs every answer', () => {
  const instance = fakeRun()
  track(instance, { outputStream: terminal(true) })
  instance.emit('start')
  assert.deepStrictEqual(instance.eventNames().sort(), ['done', 'start', 'tick'])
  instance.emit('done', result)
})

test('many trackers, one after the other and round after round, raise no warning', () => {
  const warnings = []
  const before = process.emitWarning
  process.emitWarning = (warning) => warnings.push(warning)
  try {
    const listeners = process.eventNames().map((name) => process.listenerCount(name))
    for (let i = 0; i < 30; i++) output({ amount: 5, workers: i % 2 }, { isTTY: true })
    const instance = fakeRun()
    track(instance, { outputStream: terminal(true) })
    for (let round = 0; round < 30; round++) {
      instance.emit('start')
      instance.emit('done', result)
    }
    assert.deepStrictEqual(process.eventNames().map((name) => process.listenerCount(name)),
      listeners)
  } finally {
    process.emitWarning = before
  }
  assert.deepStrictEqual(warnings, [])
})

test('needs an instance', () => {
  assert.throws(() => track(), /^Error: instance required for tracking$/)
})
