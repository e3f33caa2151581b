'use strict'

const assert = require('assert')
const path = require('path')
const { spawnSync } = require('child_process')
const { Writable } = require('stream')
const { test } = require('node:test')
const carronade = require('..')
const { startServer } = require('./support/recording_server')

const module_ = (name) => path.join(__dirname, 'fixtures', 'workers', `${name}.js`)

async function withServer(answer, body) {
  const server = await startServer(answer)
  try {
    return await body(server)
  } finally {
    server.close()
  }
}

const failure = (opts) => carronade(opts).then(
  () => assert.fail('no error'), (error) => error.message)

test('setupClient runs in each worker; an amount is made exactly', () =>
  withServer(undefined, async ({ url, asked, sockets }) => {
    const result = await carronade({
      url, connections: 3, amount: 7, workers: 2, setupClient: module_('setup_client')
    })
    assert.strictEqual(result.requests.total, 7)
    assert.strictEqual(result.requests.sent, 7)
    assert.strictEqual(result['2xx'], 7)
    assert.deepStrictEqual([result.connections, result.workers, result.url], [3, 2, url])
    assert.strictEqual(result.latency.totalCount, 7)
    assert.strictEqual(asked.length, 7)
    assert.strictEqual(sockets.size, 3)
    for (const { headers } of asked) assert.strictEqual(headers['x-from'], 'setupClient')
  }))

test('verifyBody counts mismatches', () =>
  withServer((request, response) => response.end(request.url === '/a' ? 'right' : 'wrong'),
    async ({ url }) => {
      const result = await carronade({
        url,
        connections: 2,
        amount: 8,
        workers: 2,
        verifyBody: module_('accepts_right'),
        requests: [{ path: '/a' }, { path: '/b' }]
      })
      assert.strictEqual(result.mismatches, 4)
    }))

test('setupRequest and onResponse share a context; each thread has modules of its own', () =>
  withServer((request, response) => {
    response.setHeader('X-Answer', 'yes')
    response.end('body')
  }, async ({ url, asked }) => {
    await carronade({
      url,
      connections: 2,
      amount: 8,
      workers: 2,
      initialContext: { seen: 'nothing' },
      requests: [
        { path: '/one', setupRequest: module_('setup_request'),
          onResponse: module_('on_response') },
        { path: '/two', setupRequest: module_('setup_request') }
      ]
    })
    const threads = new Map()
    for (const { url: target, headers } of asked) {
      const calls = threads.get(headers['x-thread']) || []
      threads.set(headers['x-thread'], [...calls, Number(headers['x-call'])])
      assert.strictEqual(headers['x-seen'], target === '/one' ? 'nothing' : '200 body yes')
    }
    assert.strictEqual(threads.size, 2)
    for (const calls of threads.values()) assert.deepStrictEqual(calls.slice(0, 4), [1, 2, 3, 4])
  }))

test('buffers and forms arrive as they are', () =>
  withServer(undefined, async ({ url, asked }) => {
    const body = Buffer.from([0, 255, 10, 13, 128])
    const common = { url, connections: 2, amount: 2, workers: 2, method: 'POST' }
    await carronade({ ...common, body, setupClient: module_('restless') })
    assert.deepStrictEqual(asked.map((request) => request.body), [body, body])
    asked.length = 0
    const form = { a: { type: 'text', value: 'b' } }
    await carronade({ ...common, form, verifyBody: module_('accepts_right') })
    const boundaries = asked.map(({ headers }) => headers['content-type'])
    assert.notStrictEqual(boundaries[0], boundaries[1])
    for (const request of asked) assert.match(String(request.body), /name="a"\r\n\r\nb\r\n--/)
  }))

test('ticks add up to the result; start and done come once', () =>
  withServer(undefined, async ({ url }) => {
    const heard = { start: 0, done: 0, counter: 0, bytes: 0 }
    const instance = carronade({
      url, connections: 4, duration: 1, workers: 2, sampleInt: 250,
      setupClient: module_('setup_client')
    })
    instance.on('start', () => { heard.start += 1 })
    instance.on('done', () => { heard.done += 1 })
    instance.on('tick', ({ counter, bytes }) => {
      heard.counter += counter
      heard.bytes += bytes
    })
    const result = await instance
    assert.deepStrictEqual([heard.start, heard.done], [1, 1])
    assert.strictEqual(heard.counter, result.requests.total)
    assert.strictEqual(heard.bytes, result.throughput.total)
    assert.ok(result.samples >= 3 && result.samples <= 5, `${result.samples} samples`)
  }))

test('a total rate is one over all workers', () =>
  withServer(undefined, async ({ url, asked }) => {
    await carronade({
      url, connections: 4, duration: 1, workers: 2, overallRate: 40,
      setupClient: module_('setup_client')
    })
    assert.ok(asked.length >= 36 && asked.length <= 42, `${asked.length} requests`)
  }))

test('stop() ends all workers', () =>
  withServer(undefined, async ({ url }) => {
    const instance = carronade({
      url, connections: 2, duration: 60, workers: 2, sampleInt: 50,
      setupClient: module_('setup_client')
    })
    let answered = 0
    instance.on('tick', ({ counter }) => {
      answered += counter
      if (answered > 0) instance.stop()
    })
    const result = await instance
    assert.ok(result.duration < 30)
    assert.ok(result.requests.total > 0)
  }))

test('errors of connections reach the main thread', async () => {
  const server = await startServer()
  server.close()
  const instance = carronade({
    url: server.url, connections: 2, duration: 1, workers: 2, setupClient: module_('setup_client')
  })
  const errors = []
  instance.on('reqError', (error) => errors.push(error))
  const result = await instance
  assert.ok(errors.length > 0)
  assert.ok(errors[0] instanceof Error)
  assert.strictEqual(errors[0].code, 'ECONNREFUSED')
  assert.strictEqual(result.errors, errors.length)
})

test('what goes wrong in a worker is the error of the run', () =>
  withServer(undefined, async ({ url }) => {
    const common = { url, connections: 2, amount: 4, workers: 2 }
    const thrown = 'thrown in a callback'
    assert.strictEqual(await failure({ ...common, setupClient: module_('throws') }), thrown)
    assert.strictEqual(
      await failure({ ...common, requests: [{ onResponse: module_('throws') }] }), thrown)
    assert.match(await failure({ ...common, setupClient: module_('none') }), /none\.js/)
    assert.match(await failure({ ...common, verifyBody: module_('no_function') }),
      /no_function\.js exports no function/)
    assert.match(await failure({ ...common, setupClient: module_('ends_thread') }),
      /^a worker thread ended with 7 before its run was over$/)
    assert.match(
      await failure({
        ...common, setupClient: module_('setup_client'), initialContext: { call() {} }
      }), /^the options cannot be handed to worker threads: /)
  }))

test('an exception at the end of a worker is the error of the run, told once', () =>
  withServer(undefined, async ({ url }) => {
    const told = []
    carronade({
      url, connections: 2, amount: 10, workers: 2, setupClient: module_('throws_when_done')
    }, (error) => told.push(error.message))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.deepStrictEqual(told, ['done threw'])
  }))

test('ten workers and a tracker raise no warning', () =>
  withServer(undefined, async ({ url }) => {
    const before = process.emitWarning
    const warnings = []
    process.emitWarning = (...words) => warnings.push(words)
    try {
      const instance = carronade({
        url, connections: 10, amount: 10, workers: 10, setupClient: module_('setup_client')
      })
      carronade.track(instance, { outputStream: new Writable({ write() {} }) })
      await instance
    } finally {
      process.emitWarning = before
    }
    assert.deepStrictEqual(warnings, [])
  }))

test('a process ends by itself, also when a module of a worker has a timer', () =>
  withServer(undefined, async ({ url }) => {
    const script = `
      const carronade = require(${JSON.stringify(path.join(__dirname, '..'))})
      carronade({ url: '${url.replace(/\d+$/, '1')}', connections: 1, amount: 1, workers: 1,
        setupClient: ${JSON.stringify(module_('restless'))} }).then((result) =>
        console.log(result.requests.total))`
    const run = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 20000 })
    assert.strictEqual(run.signal, null, run.stderr)
    assert.strictEqual(run.stdout, '0\n')
  }))
