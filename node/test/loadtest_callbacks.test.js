'use strict'

// What carronade/loadtest tells of each request, and what it makes of requests without an answer.

const assert = require('assert')
const { test } = require('node:test')
const { EngineTest } = require('../lib/loadtest/engine_test')
const { GeneratorTest } = require('../lib/loadtest/generator_test')
const { readSettings } = require('../lib/loadtest/loadtest_settings')
const { loadTest } = require('../loadtest')
const { closedPort, httpServer, rawServer } = require('./support/servers')

test('statusCallback hears each answer', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    response.writeHead(request.url === '/bad' ? 503 : 200,
      { 'X-B': 'c', 'Set-Cookie': ['a=1', 'b=2'], 'Content-Type': 'text/x' })
    response.end('hello ü')
  })
  const heard = []
  const listen = { statusCallback: (error, result) => heard.push([error, result]), quiet: true }
  const good = await loadTest({ url: `${url}/good`, maxRequests: 10, ...listen })
  const bad = await loadTest({ url: `${url}/bad`, maxRequests: 10, ...listen })
  assert.strictEqual(heard.length, 20)
  const [error, result] = heard[9]
  assert.strictEqual(error, null)
  assert.strictEqual(result.host, 'localhost')
  assert.strictEqual(result.path, '/good')
  assert.strictEqual(result.method, 'GET')
  assert.strictEqual(result.statusCode, 200)
  assert.strictEqual(result.body, 'hello ü')
  assert.strictEqual(result.headers['x-b'], 'c')
  assert.deepStrictEqual(result.headers['set-cookie'], ['a=1', 'b=2'])
  assert.strictEqual(result.requestIndex, 9)
  assert.strictEqual(result.instanceIndex, good.instanceIndex)
  assert.ok(result.requestElapsed > 0 && result.requestElapsed <= good.maxLatencyMs + 0.001)
  assert.ok(!('labels' in result) && !('customError' in result))
  assert.strictEqual(heard[10][0], 'Status code 503')
  assert.strictEqual(heard[10][1].statusCode, 503)
  assert.strictEqual(bad.instanceIndex, good.instanceIndex + 1)
  assert.deepStrictEqual(bad.errorCodes, { 503: 10 })
  assert.deepStrictEqual([bad.totalRequests, bad.totalErrors], [10, 10])
})

test('statuses are errors under their own codes without a callback, too', async (t) => {
  let count = 0
  const { url } = await httpServer(t, (request, response) => {
    response.writeHead([200, 302, 404, 500][count++ % 4]).end()
  })
  const result = await loadTest({ url, maxRequests: 40, quiet: true })
  assert.deepStrictEqual(result.errorCodes, { 404: 10, 500: 10 })
})

test('contentInspector knows which answer it is given', async (t) => {
  const { url } = await httpServer(t)
  for (const requestGenerator of [undefined, (params, own, client, back) => client(own, back)]) {
    const inspected = []
    const told = []
    await loadTest({
      url,
      maxRequests: 6,
      concurrency: 2,
      requestGenerator,
      contentInspector: ({ requestIndex, instanceIndex }) =>
        inspected.push([requestIndex, instanceIndex]),
      statusCallback: (error, result) => told.push([result.requestIndex, result.instanceIndex]),
      quiet: true
    })
    assert.deepStrictEqual(inspected, told)
    assert.deepStrictEqual(inspected.map(([index]) => index), [0, 1, 2, 3, 4, 5])
  }
})

test('bytes too many are an error of no request', async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA'))
  })
  const heard = []
  const listening = { statusCallback: (error) => heard.push(error) }
  for (const more of [{}, { agentKeepAlive: true }, { requestsPerSecond: 100 }, listening]) {
    const result = await loadTest({ url, maxRequests: 4, concurrency: 2, ...more, quiet: true })
    assert.deepStrictEqual([result.totalRequests, result.totalErrors, result.errorCodes],
      [4, 0, {}])
    assert.deepStrictEqual(result.carronade.errors.map(({ kind, count }) => [kind, count]),
      [['excess_bytes', 4]])
  }
  assert.deepStrictEqual(heard, Array(4).fill(null))
})

test('contentInspector makes errors of good answers', async (t) => {
  let count = 0
  const { url } = await httpServer(t, (request, response) => {
    response.writeHead(count % 4 === 3 ? 500 : 200).end(String(count++ % 4))
  })
  const errors = []
  const result = await loadTest({
    url,
    maxRequests: 40,
    contentInspector(answer) {
      if (answer.body === '1') Object.assign(answer, { customError: 'one', customErrorCode: 7 })
      if (answer.body === '2') answer.customError = 'two'
      if (answer.body === '3') answer.customErrorCode = 'x'
    },
    statusCallback: (error) => errors.push(error),
    quiet: true
  })
  assert.deepStrictEqual(result.errorCodes, { '200:7': 10, 200: 10, '500:x': 10 })
  assert.strictEqual(result.totalErrors, 30)
  assert.strictEqual(result.totalRequests, 40)
  const told = {}
  for (const error of errors) told[error] = (told[error] || 0) + 1
  assert.deepStrictEqual(told,
    { null: 10, 'Custom error: one': 10, 'Custom error: two': 10, 'Status code 500': 10 })
})

test('what cannot be connected to is an error of each request', async () => {
  const url = `http://127.0.0.1:${await closedPort()}`
  const heard = []
  const result = await loadTest({
    url, maxRequests: 6, concurrency: 2, statusCallback: (...all) => heard.push(all), quiet: true
  })
  assert.deepStrictEqual(result.errorCodes, { '-1': 6 })
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [6, 6])
  assert.strictEqual(heard.length, 6)
  assert.match(heard[0][0], /^Connection error: .*refused/)
  assert.strictEqual(heard[0][1], undefined)
  assert.ok(Number.isNaN(result.meanLatencyMs) && Number.isNaN(result.percentiles[50]))
  assert.match(result.carronade.errors[0].text, /refused/)
})

test('a late request is given up and counted once', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end(), 400)
    else response.end()
  })
  const heard = []
  const result = await loadTest({
    url: `${url}/slow`,
    maxRequests: 4,
    concurrency: 2,
    timeout: 50,
    statusCallback: (error) => heard.push(error),
    quiet: true
  })
  assert.deepStrictEqual(heard, Array(4).fill('Connection timed out'))
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [4, 4])
})

test('a server that closes in the middle of answers ends nothing', async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal'))
  })
  const result = await loadTest({ url, maxRequests: 5, concurrency: 1, quiet: true })
  assert.deepStrictEqual([result.totalRequests, result.errorCodes['-1']], [5, 5])
})

test('what the user\'s functions throw is the error of the test', async (t) => {
  const { url } = await httpServer(t)
  const mine = new Error('mine')
  const throws = () => { throw mine }
  for (const options of [{ body: throws, method: 'POST' }, { statusCallback: throws },
    { contentInspector: throws }, { indexParam: 'localhost|/', indexParamCallback: throws },
    { requestGenerator: throws }]) {
    await assert.rejects(loadTest({ url, maxRequests: 20, ...options, quiet: true }),
      (error) => error === mine)
  }
  await assert.rejects(loadTest({ url, method: 'POST', body: async () => 'x', quiet: true }),
    /at once, not a promise/)
})

test('what contentInspector finds is among the errors of the lines of progress', async (t) => {
  const { url } = await httpServer(t)
  const options = {
    url,
    maxRequests: 10,
    contentInspector: (answer) => { answer.customError = 'mine' },
    requestGenerator: (params, own, client, callback) => client(own, callback)
  }
  for (const Test of [EngineTest, GeneratorTest]) {
    const run = new Test(await readSettings(options), 0)
    await run.run()
    assert.strictEqual(run.progress().told.errors, 10)
  }
})
