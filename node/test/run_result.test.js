'use strict'

// What a run gives, and the ways to hear of it.

const test = require('node:test')
const assert = require('node:assert')
const carronade = require('..')
const { httpServer } = require('./support/servers')

const KEYS = ['title', 'url', 'socketPath', 'connections', 'sampleInt', 'pipelining', 'workers',
  'duration', 'samples', 'start', 'finish', 'errors', 'timeouts', 'mismatches', 'non2xx',
  'resets', '1xx', '2xx', '3xx', '4xx', '5xx', 'statusCodeStats', 'latency', 'requests',
  'throughput', 'carronade']
const PERCENTILES = ['p0_001', 'p0_01', 'p0_1', 'p1', 'p2_5', 'p10', 'p25', 'p50', 'p75', 'p90',
  'p97_5', 'p99', 'p99_9', 'p99_99', 'p99_999']
const SPREAD = ['average', 'mean', 'stddev', 'min', 'max']

function checkNumbers(result) {
  for (const [name, more] of [['latency', ['totalCount']], ['requests', ['total', 'sent']],
    ['throughput', ['total']]]) {
    for (const key of [...SPREAD, ...more, ...PERCENTILES]) {
      assert.ok(Number.isFinite(result[name][key]), `${name}.${key}: ${result[name][key]}`)
    }
  }
}

for (const [way, more] of [
  ['native threads', {}],
  ['two native threads', { workers: 2 }],
  ['Node’s loop', { setupClient() {} }]
]) {
  test(`every key of the result, on ${way}`, async (t) => {
    const server = await httpServer(t)
    const opts = { url: server.url, connections: 2, pipelining: 2, amount: 50, title: 'mine' }
    const result = await carronade({ ...opts, ...more })
    assert.deepStrictEqual(Object.keys(result), KEYS)
    checkNumbers(result)
    assert.strictEqual(result.title, 'mine')
    assert.strictEqual(result.url, server.url)
    assert.strictEqual(result.socketPath, undefined)
    assert.strictEqual(result.connections, 2)
    assert.strictEqual(result.pipelining, 2)
    assert.strictEqual(result.workers, more.workers)
    assert.strictEqual(result['2xx'], 50)
    assert.strictEqual(result.requests.total, 50)
    assert.strictEqual(result.requests.sent, 50)
    assert.strictEqual(result.latency.totalCount, 50)
    assert.strictEqual(result.non2xx, 0)
    assert.strictEqual(result.errors, 0)
    assert.strictEqual(result.resets, 0)
    assert.deepStrictEqual(result.statusCodeStats, { 200: { count: 50 } })
    assert.ok(result.start instanceof Date && result.finish instanceof Date)
    assert.ok(result.finish >= result.start)
    assert.ok(result.throughput.total > 50 * 'hello'.length)
    assert.strictEqual(server.seen.length, 50)
  })
}

test('a run ends when its duration is over', async (t) => {
  const server = await httpServer(t)
  const before = Date.now()
  const result = await carronade({ url: server.url, duration: '1' })
  const took = Date.now() - before
  assert.ok(took >= 990 && took < 1900, `${took} ms`)
  assert.ok(Math.abs(result.duration - 1) < 0.2, String(result.duration))
  assert.ok(result.requests.total > 0)
  checkNumbers(result)
})

test('done comes before the callback, and both have the same result', (t, finished) => {
  httpServer(t).then(({ url }) => {
    let done = null
    const tracker = carronade({ url, connections: 1, amount: 1 }, (error, result) => {
      assert.ifError(error)
      assert.ok(result === done)
      finished()
    })
    tracker.on('done', (result) => { done = result })
    assert.strictEqual(tracker.then, undefined)
    assert.strictEqual(tracker.catch, undefined)
    assert.strictEqual(typeof tracker.stop, 'function')
  })
})

test('without a callback there are then and catch, and opts as they were understood', async (t) => {
  const { url } = await httpServer(t)
  const tracker = carronade({ url, connections: 1, amount: 3, duration: '10m' })
  assert.strictEqual(tracker.finally, undefined)
  assert.strictEqual(tracker.opts.duration, 600)
  assert.strictEqual(tracker.opts.pipelining, 1)
  assert.strictEqual(await tracker.then((result) => result['2xx']), 3)
  assert.strictEqual((await tracker)['2xx'], 3)
})

test('validation errors: callback at once, rejection, event', async () => {
  const text = 'connections can not be less than 1'
  let heard = null
  carronade({ url: 'x', connections: 0 }, (error) => { heard = error.message })
  assert.strictEqual(heard, text)
  await assert.rejects(Promise.resolve(carronade({ url: 'x', connections: 0 })), { message: text })
  const tracker = carronade({ url: 'x', connections: 0, forever: true })
  assert.strictEqual(tracker.then, undefined)
  const [error] = await require('events').once(tracker, 'done').catch((reason) => [reason])
  assert.strictEqual(error.message, text)
  await assert.rejects(Promise.resolve(carronade()), { message: /url or socketPath/ })
})

test('what cannot be run throws with a callback and rejects without', async (t) => {
  const { url } = await httpServer(t)
  for (const [opts, text] of [
    [{ amount: 1, connections: 2 }, /^connections cannot be greater than amount$/],
    [{ method: 'FOO' }, /^FOO HTTP method is not supported$/],
    [{ body: {} }, /^body must be either a string or a buffer$/],
    [{ headers: { a: 'b\nc' } }, /line break/],
    [{ url: 'http://a b' }, /^Invalid URL/],
    [{ setupClient() { throw new Error('mine') } }, /^mine$/]
  ]) {
    assert.throws(() => carronade({ url, ...opts }, assert.fail), { message: text })
    await assert.rejects(Promise.resolve(carronade({ url, ...opts })), { message: text })
  }
})

test('what the engine refuses comes with the callback', async (t) => {
  const { url } = await httpServer(t)
  const opts = { url: url.replace('http:', 'https:'), tlsOptions: { cert: 'no PEM', key: 'nor' } }
  await assert.rejects(Promise.resolve(carronade(opts)), (error) => !error.message.includes('\n'))
})

for (const [way, more] of [['threads', {}], ['Node’s loop', { setupClient() {} }]]) {
  test(`the sum of the ticks is the total, on ${way}`, async (t) => {
    const { url } = await httpServer(t)
    const tracker = carronade({ url, duration: 0.55, sampleInt: 100, connections: 4, ...more })
    const sum = { counter: 0, bytes: 0, ticks: 0 }
    const order = []
    tracker.on('start', () => order.push('start'))
    tracker.on('tick', ({ counter, bytes }) => {
      order.push('tick')
      sum.counter += counter
      sum.bytes += bytes
      sum.ticks += 1
    })
    tracker.on('done', () => order.push('done'))
    const result = await tracker
    assert.strictEqual(sum.counter, result.requests.total)
    assert.strictEqual(sum.bytes, result.throughput.total)
    assert.ok(sum.ticks >= 4 && sum.ticks <= 8, `${sum.ticks} ticks`)
    assert.strictEqual(order[0], 'start')
    assert.strictEqual(order.at(-1), 'done')
    assert.ok(result.samples >= 5, `${result.samples} samples`)
  })
}

test('skipAggregateResult gives parts that merge without loss', async (t) => {
  const { url } = await httpServer(t)
  const opts = { url, connections: 2, amount: 20, skipAggregateResult: true }
  const parts = [await carronade(opts), await carronade({ ...opts, setupClient() {} })]
  for (const part of parts) {
    for (const name of ['latencies', 'requests', 'throughput']) {
      assert.match(part[name], /^HISTFAAA/)
    }
    assert.strictEqual(part.totalCompletedRequests, 20)
    assert.strictEqual(part.totalRequests, 20)
    assert.strictEqual(part['2xx'], 20)
    assert.ok(part.totalBytes > 100 && part.start instanceof Date)
  }
  const stored = JSON.parse(JSON.stringify(parts))
  const result = carronade.aggregateResult(stored, { url, connections: 2 })
  assert.strictEqual(result['2xx'], 40)
  assert.strictEqual(result.latency.totalCount, 40)
  assert.strictEqual(result.requests.total, 40)
  assert.strictEqual(result.throughput.total, parts[0].totalBytes + parts[1].totalBytes)
  checkNumbers(result)
})

test('excludeErrorStats leaves what is not 2xx out of latency and bytes', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    response.statusCode = 404
    response.end('no')
  })
  const opts = { url, connections: 2, amount: 20, excludeErrorStats: true }
  for (const more of [{}, { setupClient() {} }]) {
    const result = await carronade({ ...opts, ...more })
    assert.strictEqual(result['4xx'], 20)
    assert.strictEqual(result.non2xx, 20)
    assert.strictEqual(result.requests.total, 20)
    for (const key of [...SPREAD, ...PERCENTILES]) {
      assert.strictEqual(result.latency[key], 0, key)
      assert.strictEqual(result.throughput[key], 0, key)
    }
  }
})

test('the same as a module of the other kind', async () => {
  const module = await import('../index.mjs')
  assert.ok(module.default === carronade && carronade.default === carronade)
  for (const name of ['track', 'printResult', 'aggregateResult', 'parseArguments', 'start']) {
    assert.ok(typeof carronade[name] === 'function' && module[name] === carronade[name], name)
  }
})
