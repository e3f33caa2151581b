'use strict'

// binding.Recorder: requests that a host's own client sends.

const assert = require('assert')
const { test } = require('node:test')
const binding = require('../lib/native')
const { listen, run } = require('./support/addon_run')
const http = require('http')

const documentOf = (state) => JSON.parse(binding.resultDocument([state], { urls: ['http://a'] }))

test('counts what it is told', () => {
  const recorder = new binding.Recorder({ amount: 4, connections: 2 })
  assert.strictEqual(recorder.send(), 0) // not started
  recorder.start()
  recorder.start()
  recorder.opened(false)
  const [good, lost, late, open] = [1, 2, 3, 4].map(() => recorder.send())
  assert.strictEqual(new Set([good, lost, late, open]).size, 4)
  recorder.firstByte(good)
  assert.ok(recorder.answered(good, 503, 5, 90) >= 0)
  assert.strictEqual(recorder.answered(good, 503, 5, 90), -1)
  assert.ok(recorder.failed(lost, 'connect_refused', 'connect', 'nobody') >= 0)
  assert.ok(recorder.failed(late, 'timeout', 'timeout', 'late') >= 0)
  recorder.bytesSent(100)
  const { sent, answered, errors, connections } = recorder.progress()
  assert.deepStrictEqual([sent, answered, errors, connections], [4, 1, 2, 1])
  recorder.closed()
  recorder.closed()
  const state = recorder.finish('amount')
  const { carronade, statusCodeStats } = documentOf(state)
  assert.deepStrictEqual(carronade.requests, {
    planned: 4, sent: 4, answered: 1, failed: 1, timedOut: 1, retried: 0, dropped: 0, inFlight: 1,
    mismatched: 0
  })
  assert.deepStrictEqual(statusCodeStats, { 503: { count: 1 } })
  const rows = carronade.errors.map(({ kind, phase, text }) => [kind, phase, text]).sort()
  assert.deepStrictEqual(rows,
    [['connect_refused', 'connect', 'nobody'], ['timeout', 'timeout', 'late']])
  assert.strictEqual(carronade.stoppedBy, 'amount')
  assert.deepStrictEqual(carronade.bytes, { sent: 100, received: 90, body: 5 })
  assert.deepStrictEqual(Object.values(binding.latencyByMs([state])), [1])
  assert.throws(() => recorder.finish('amount'), /once, and after start/)
  assert.strictEqual(recorder.send(), 0)
})

test('an open loop says when the next request is due', async () => {
  const recorder = new binding.Recorder({ rate: 100, amount: 3 })
  recorder.start()
  assert.ok(recorder.dueIn() <= 10)
  await new Promise((resolve) => setTimeout(resolve, 60))
  for (let i = 0; i < 2; ++i) {
    assert.ok(recorder.dueIn() <= 0)
    assert.ok(recorder.answered(recorder.send(), 200, 0, 0) > 0)
  }
  recorder.refuse()
  assert.strictEqual(recorder.dueIn(), Infinity)
  const { carronade } = documentOf(recorder.finish('amount'))
  assert.strictEqual(carronade.loop, 'open')
  assert.deepStrictEqual([carronade.requests.planned, carronade.requests.sent,
    carronade.requests.dropped], [3, 2, 1])
})

test('takes nonsense without harm', () => {
  for (const options of [undefined, 7, { rate: -1 }, { rate: 1e9 }, { amount: 'x' },
    { durationMs: 0 }]) {
    assert.throws(() => new binding.Recorder(options), Error)
  }
  const recorder = new binding.Recorder({})
  assert.throws(() => recorder.finish('amount'), /after start/)
  recorder.start()
  for (const value of [undefined, null, -1, NaN, Infinity, 2 ** 60, 'x', {}, 1.5]) {
    recorder.firstByte(value)
    assert.strictEqual(recorder.answered(value, value, value, value), -1)
    assert.strictEqual(recorder.failed(value, value, value, value), -1)
    recorder.opened(value)
    recorder.closed(value)
    recorder.bytesSent(value)
  }
  assert.ok(recorder.answered(recorder.send(), 70000, -5, NaN) >= 0)
  const { statusCodeStats } = documentOf(recorder.finish('nonsense'))
  assert.deepStrictEqual(statusCodeStats, { 999: { count: 1 } })
})

test('the engine sums up answers for who asks with `told`', async (t) => {
  let count = 0
  const url = await listen(t, http.createServer((request, response) => {
    response.writeHead(count++ % 2 ? 404 : 200).end('x')
  }))
  for (const [hooks, inLoop] of [[{}, false], [{}, true], [{ response: () => true }, true],
    [{ next: () => 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' }, true]]) {
    const spec = { targets: [{ url }], amount: 20, connections: 2, told: true }
    const { engine, latency } = await run(spec, hooks, inLoop)
    const { told } = engine.progress()
    assert.deepStrictEqual([told.answered, told.errors, told.lost], [20, 10, 0])
    assert.ok(Math.abs(told.latencyMs - 20 * latency.mean) < 0.01)
  }
})
