'use strict'

// What a load test's result says of parts without answers, of reasons, and of what was not sent.

const assert = require('assert')
const { test } = require('node:test')
const { loadTest } = require('../loadtest')
const { notesOf, reportText } = require('../lib/loadtest/loadtest_report')
const { Result } = require('../lib/loadtest/loadtest_result')
const { lostRequests } = require('../lib/loadtest/lost_requests')
const { closedPort, httpServer } = require('./support/servers')

test('combine: a part without answers leaves the times alone', async (t) => {
  const { url } = await httpServer(t)
  const refusing = `http://127.0.0.1:${await closedPort()}`
  const lost = () => loadTest({ url: refusing, maxRequests: 3, concurrency: 1, quiet: true })
  for (const through of [(result) => result, (result) => JSON.parse(JSON.stringify(result))]) {
    const good = await loadTest({ url, maxRequests: 10, quiet: true })
    const { maxLatencyMs, minLatencyMs, accumulatedMs } = good
    good.combine(through(await lost()))
    assert.deepStrictEqual([good.maxLatencyMs, good.minLatencyMs, good.accumulatedMs],
      [maxLatencyMs, minLatencyMs, accumulatedMs])
    assert.ok(good.percentiles[50] >= Math.floor(minLatencyMs))
    const none = await lost()
    none.combine(through(await lost()))
    assert.ok(Number.isNaN(none.maxLatencyMs) && Number.isNaN(none.minLatencyMs))
    // A row for a reason.
    assert.deepStrictEqual(none.carronade.errors.map(({ count }) => count), [6])
    none.combine(through(await loadTest({ url, maxRequests: 10, quiet: true })))
    assert.ok(none.maxLatencyMs >= none.minLatencyMs && none.minLatencyMs > 0)
  }
})

test('a connection that could not be made is an error, and not unsent as well', async () => {
  const url = `http://127.0.0.1:${await closedPort()}`
  const result = await loadTest({ url, maxRequests: 10, requestsPerSecond: 100, quiet: true })
  assert.deepStrictEqual([result.totalErrors, result.carronade.unsent], [10, 0])
})

test('errors that ended no request are none of the totals', () => {
  const lost = (kind, count, requests, answered) =>
    lostRequests({ kind, count, requests }, answered)
  assert.strictEqual(lost('connect_refused', 3, 0, 0), 3)
  assert.strictEqual(lost('connection_reset', 3, 3, 1), 3)
  assert.strictEqual(lost('excess_bytes', 4, 0, 4), 0)
  assert.strictEqual(lost('timeout', 4, 3, 4), 3)
  assert.strictEqual(lost('malformed_frame', 4, 1, 4), 1)
  assert.strictEqual(lost('malformed_frame', 4, 0, 0), 4)
})

test('a run of next to no time without an answer has no rate', async () => {
  const run = { maxRequests: 1, clients: 1, startTimeMs: 0, totalErrors: 0 }
  const none = new Result()
  none.combine({ ...run, stopTimeMs: 0.02, totalRequests: 1, histogramMs: {} })
  assert.ok(Number.isNaN(none.effectiveRps) && Number.isNaN(none.rps))
  assert.match(reportText(none), /\nEffective rps: {7}n\/a\n/)
  const fast = new Result()
  fast.combine({ ...run, stopTimeMs: 0.5, totalRequests: 1, histogramMs: { 0: 1 } })
  assert.strictEqual(fast.effectiveRps, 2000)
})

test('a rate lasts until its last interval is over, with a generator as without', async (t) => {
  const { url } = await httpServer(t)
  const requestGenerator = (params, options, client, callback) => client(options, callback)
  for (const more of [{}, { requestGenerator }]) {
    const result = await loadTest({ url, maxRequests: 2, rps: 5, ...more, quiet: true })
    assert.ok(result.elapsedSeconds >= 0.39 && result.elapsedSeconds < 1.5, result.elapsedSeconds)
  }
})

test('what had no answer at the end is a note, when it is many', async (t) => {
  const { url } = await httpServer(t, () => {})
  const result = await loadTest({ url, maxSeconds: 0.2, concurrency: 2, quiet: true })
  assert.deepStrictEqual(notesOf(result), ['2 requests were in flight at the end, ' +
    'without an answer so far: in none of the figures'])
  result.totalRequests = 200
  assert.deepStrictEqual(notesOf(result), [])
})
