'use strict'

const assert = require('assert')
const { test } = require('node:test')
const carronade = require('..')
const { startServer } = require('./support/recording_server')

const { aggregateResult } = carronade

test('adds results up', async () => {
  const server = await startServer((request, response) => {
    response.statusCode = request.url === '/bad' ? 500 : 200
    response.end('ok')
  })
  try {
    const opts = { url: server.url, title: 'both', connections: 1, skipAggregateResult: true }
    const results = await Promise.all([
      carronade({ ...opts, maxOverallRequests: 10 }),
      carronade({ ...opts, url: `${server.url}/bad`, maxOverallRequests: 5 })
    ])
    for (const name of ['latencies', 'requests', 'throughput']) {
      assert.match(results[0][name], /^HISTFAAA/)
    }
    const parts = JSON.parse(JSON.stringify(results))
    const whole = aggregateResult(parts, opts)
    assert.strictEqual(whole['2xx'], 10)
    assert.strictEqual(whole['5xx'], 5)
    assert.strictEqual(whole.non2xx, 5)
    assert.strictEqual(whole.requests.total, 15)
    assert.strictEqual(whole.requests.sent, 15)
    assert.strictEqual(whole.latency.totalCount, 15)
    assert.strictEqual(whole.title, 'both')
    assert.strictEqual(whole.throughput.total, results[0].totalBytes + results[1].totalBytes)
    assert.deepStrictEqual(whole.statusCodeStats, { 200: { count: 10 }, 500: { count: 5 } })
    assert.strictEqual(+whole.start, Math.min(...results.map(({ start }) => +start)))
    assert.match(carronade.printResult(whole), /\n10 2xx responses, 5 non 2xx responses\n/)
  } finally {
    server.close()
  }
})

test('one result alone is itself', async () => {
  const server = await startServer()
  try {
    const opts = { url: server.url, connections: 2, amount: 20 }
    const [part] = await Promise.all([carronade({ ...opts, skipAggregateResult: true })])
    const whole = aggregateResult([part], opts)
    assert.strictEqual(whole.requests.total, 20)
    assert.strictEqual(whole.duration, part.duration)
    assert.strictEqual(whole.carronade.latency.count, 20)
  } finally {
    server.close()
  }
})

test('says what it needs', () => {
  const opts = { url: 'http://x' }
  assert.throws(() => aggregateResult(undefined, opts),
    /^Error: "results" must be an array of results$/)
  assert.throws(() => aggregateResult([]), /^Error: url or socketPath option required$/)
  assert.throws(() => aggregateResult([], {}), /^Error: url or socketPath option required$/)
  assert.throws(() => aggregateResult([], opts), /at least one result/)
  assert.throws(() => aggregateResult([{ latencies: 'HISTFAAA' }], opts),
    /^Error: results\[0\] cannot be merged: .*skipAggregateResult: true/)
})
