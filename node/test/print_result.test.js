'use strict'

// The expected texts were recorded from autocannon 9.0.0.

const assert = require('assert')
const { Writable } = require('stream')
const { test } = require('node:test')
const { printResult } = require('../lib/print_result')
const recorded = require('./fixtures/autocannon_reports.json')

const COLOUR_VARIABLES = [
  'CI', 'COLORTERM', 'FORCE_COLOR', 'NO_COLOR', 'TEAMCITY_VERSION', 'TERM', 'TERM_PROGRAM', 'TMUX'
]

function sink(isTTY) {
  const stream = new Writable({ write() {} })
  stream.isTTY = isTTY
  return stream
}

function withEnvironment(variables, body) {
  const before = { ...process.env }
  for (const name of COLOUR_VARIABLES) delete process.env[name]
  Object.assign(process.env, variables)
  try {
    return body()
  } finally {
    for (const name of COLOUR_VARIABLES) delete process.env[name]
    Object.assign(process.env, before)
  }
}

const anyReport = () => recorded[0].result

test('prints what autocannon prints', () => {
  for (const { result, opts, tty, env, text } of recorded) {
    const printed = withEnvironment(env, () =>
      printResult(result, { ...opts, outputStream: sink(tty) }))
    assert.deepStrictEqual(printed.split('\n'), text)
  }
})

test('survives a result without statistics', () => {
  const result = { latency: {}, requests: { sent: 20 }, throughput: { total: 0 } }
  assert.match(printResult(result, {}), /\n20 requests in undefineds, 0 B read\n$/)
})

test('verbose: false leaves the last line', () => {
  const result = { latency: {}, requests: { sent: 20 }, throughput: { total: 3318 }, duration: 1 }
  assert.deepStrictEqual(printResult(result, { verbose: false }).split('\n'),
    ['20 requests in 1s, 3.32 kB read', ''])
})

test('looks at the terminal and the environment when it is called', () => {
  const coloured = (env, tty = true) => withEnvironment(env, () =>
    printResult(anyReport(), { outputStream: sink(tty) }).includes('\x1b['))
  assert.ok(coloured({ COLORTERM: 'truecolor' }))
  assert.ok(!coloured({ COLORTERM: 'truecolor' }, false))
  assert.ok(!coloured({ COLORTERM: 'truecolor', NO_COLOR: '1' }))
  assert.ok(coloured({ COLORTERM: 'truecolor', NO_COLOR: 'undefined' }))
})

test('our fractions of milliseconds become whole ones, averages are rounded up', () => {
  const text = printResult({
    ...anyReport(),
    carronade: {},
    duration: 2.00481,
    latency: {
      p2_5: 0.981, p50: 1.999, p97_5: 2, p99: 3.5, average: 1.2301, stddev: 0.001, max: 9.99
    },
    requests: {
      p1: 10.5, p2_5: 10.5, p50: 11, p97_5: 12, average: 11.001, stddev: 0.5, min: 10.5, sent: 7
    }
  }, { outputStream: sink(false) })
  const cells = (name) => text.split('\n').find((line) => line.includes(name))
    .split('│').map((cell) => cell.trim()).filter(Boolean)
  assert.deepStrictEqual(cells('Latency'),
    ['Latency', '0 ms', '1 ms', '2 ms', '3 ms', '1.24 ms', '0.01 ms', '9 ms'])
  assert.deepStrictEqual(cells('Req/Sec'),
    ['Req/Sec', '10', '10', '11', '12', '11.01', '0.5', '10'])
  assert.match(text, /7 requests in 2s,/)
})
