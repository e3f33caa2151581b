'use strict'

// The report and the progress lines as text, and results put together. No server.

const assert = require('assert')
const { test } = require('node:test')
const { progressText, reportText, notesOf } = require('../lib/loadtest/loadtest_report')
const { Result } = require('../lib/loadtest/loadtest_result')

const facts = {
  url: 'http://localhost:7357/',
  maxRequests: 1000,
  clients: 10,
  agent: 'keepalive',
  elapsedSeconds: 0.354108,
  totalRequests: 1000,
  totalErrors: 3,
  meanLatencyMs: 7.7182,
  maxLatencyMs: 20.04,
  effectiveRps: 2824,
  percentiles: { 50: 0.91234, 90: 9.994, 95: 11.26, 99: 15.04 },
  errorCodes: { 500: 2, '-1': 1 }
}
const result = (changes) => Object.assign(new Result(), facts, changes)

test('the report', () => {
  assert.strictEqual(reportText(result()), `
Target URL:          http://localhost:7357/
Max requests:        1000
Concurrent clients:  10
Agent:               keepalive

Completed requests:  1000
Total errors:        3
Total time:          0.354 s
Mean latency:        7.7 ms
Effective rps:       2824

Percentage of requests served within a certain time
  50%      0.912 ms
  90%      9.99 ms
  95%      11.3 ms
  99%      15 ms
 100%      20 ms (longest request)

  500:   2 errors
   -1:   1 errors`)
})

test('the report of a rate, of several cores, and of no answers', () => {
  const text = reportText(result({
    maxRequests: 0,
    maxSeconds: 10,
    requestsPerSecond: 2.5,
    cores: 2,
    meanLatencyMs: NaN,
    percentiles: { 50: NaN, 90: NaN, 95: NaN, 99: NaN },
    totalErrors: 0,
    errorCodes: {}
  }))
  assert.match(text, /\nMax time \(s\): {8}10\nTarget rps: {10}2\.5\n/)
  assert.match(text, /\nRunning on cores: {4}2\n/)
  assert.match(text, /\nMean latency: {8}n\/a\n/)
  assert.match(text, /\n {2}50% {6}n\/a\n/)
  assert.match(text, / 100% {6}n\/a \(longest request\)$/)
})

test('the lines of progress', () => {
  const before = { answered: 1000, errors: 0, lost: 0, latencyMs: 500 }
  const now = { answered: 6000, errors: 0, lost: 0, latencyMs: 4500 }
  assert.strictEqual(progressText(now, before, 5, 10000),
    'Requests: 6000 (60%), requests per second: 1000, mean latency: 0.8 ms')
  assert.strictEqual(progressText({ ...now, errors: 20, lost: 10 }, before, 5, 0),
    'Requests: 6010, requests per second: 1002, mean latency: 0.8 ms\n' +
    'Errors: 30, accumulated errors: 30, 0.5% of total requests')
  assert.match(progressText(before, before, 5, 0), /per second: 0, mean latency: n\/a$/)
})

test('notes say what the report has no place for', () => {
  const tls = { kind: 'tls_certificate', count: 1, text: 'tls 127.0.0.1:443: self-signed' }
  const details = { errors: [{ count: 2, text: 'refused' }, tls], unsent: 1, retried: 2 }
  assert.deepStrictEqual(notesOf(result({ carronade: details })), [
    '2 x refused',
    '1 x tls 127.0.0.1:443: self-signed',
    "trusted are the system's certificates and those in the file that SSL_CERT_FILE names; " +
      '--insecure accepts any',
    '1 request was due and not sent: no connection was free, or the time was over',
    '2 requests were sent again after the server had closed an idle connection'
  ])
})

test('combine adds what went through JSON by whole milliseconds', () => {
  const part = (ms, code) => JSON.parse(JSON.stringify(result({
    cores: 1,
    startTimeMs: 1000,
    stopTimeMs: 3000,
    totalRequests: 10,
    totalErrors: 1,
    accumulatedMs: 10 * ms,
    minLatencyMs: ms - 1,
    maxLatencyMs: ms + 1,
    histogramMs: { [ms]: 10 },
    errorCodes: { [code]: 1 },
    requestsPerSecond: 5
  })))
  const all = new Result()
  all.combine(part(10, '500'))
  all.combine({ ...part(20, '500'), stopTimeMs: 5000 })
  assert.deepStrictEqual([all.cores, all.maxRequests, all.clients, all.totalRequests,
    all.totalErrors, all.requestsPerSecond], [2, 2000, 20, 20, 2, 10])
  assert.deepStrictEqual([all.elapsedSeconds, all.effectiveRps, all.meanLatencyMs], [4, 5, 15])
  assert.deepStrictEqual(all.histogramMs, { 10: 10, 20: 10 })
  assert.deepStrictEqual(all.errorCodes, { 500: 2 })
  assert.deepStrictEqual(all.percentiles, { 50: 10, 90: 20, 95: 20, 99: 20 })
  assert.deepStrictEqual([all.minLatencyMs, all.maxLatencyMs], [9, 21])
})
