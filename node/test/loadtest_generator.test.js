'use strict'

// requestGenerator: requests made by Node's own client, timed and counted by the engine.

const assert = require('assert')
const fs = require('fs')
const http = require('http')
const https = require('https')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const { loadTest } = require('../loadtest')
const { certificate, key } = require('./support/certificate')
const { closedPort, httpServer, listening, rawServer } = require('./support/servers')

const plain = (params, options, client, callback) => client(options, callback)

test('is given http.request, and options that are its own each time', async (t) => {
  const { url, seen } = await httpServer(t)
  const clients = new Set()
  const given = []
  const result = await loadTest({
    url: `${url}/a?b=c`,
    method: 'POST',
    maxRequests: 20,
    concurrency: 4,
    headers: { 'x-mine': 'm' },
    requestGenerator(params, options, client, callback) {
      clients.add(client)
      given.push({ params, options })
      const message = '{"hi": "ho"}'
      assert.strictEqual(options.headers['Content-Length'], undefined)
      options.headers['Content-Length'] = message.length
      options.headers['Content-Type'] = 'application/json'
      options.headers['x-test'] = String(given.length)
      const request = client(options, callback)
      assert.ok(request instanceof http.ClientRequest)
      request.write(message)
      return request
    },
    quiet: true
  })
  assert.strictEqual(clients.size, 1)
  assert.strictEqual(given[0].params.method, 'POST')
  assert.strictEqual(given[0].params.maxRequests, 20)
  const { options } = given[0]
  assert.deepStrictEqual([options.hostname, options.path, options.pathname, options.query,
    options.method, options.protocol], ['localhost', '/a?b=c', '/a', 'b=c', 'POST', 'http:'])
  assert.strictEqual(seen.length, 20)
  for (const { method, url: sent, headers, body } of seen) {
    assert.deepStrictEqual([method, sent, body], ['POST', '/a?b=c', '{"hi": "ho"}'])
    assert.deepStrictEqual([headers['content-type'], headers['content-length'],
      headers['x-mine'], headers['user-agent']], ['application/json', '12', 'm', 'loadtest/8.2.1'])
  }
  assert.strictEqual(new Set(seen.map(({ headers }) => headers['x-test'])).size, 20)
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [20, 0])
  assert.ok(result.minLatencyMs > 0 && result.minLatencyMs <= result.percentiles[50])
})

test('labels come back, and the request may be ended by the generator', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    response.writeHead(404).end(request.body)
  })
  const heard = []
  let number = 0
  const result = await loadTest({
    url,
    maxRequests: 6,
    method: 'PUT',
    requestGenerator(params, options, client, callback) {
      options.path = `/n${number}`
      const request = client(options, callback)
      request.labels = { number: number++ }
      request.end(`body ${request.labels.number}`)
      return request
    },
    body: 'not sent any more',
    statusCallback: (error, answer) => heard.push([error, answer]),
    quiet: true
  })
  assert.deepStrictEqual(result.errorCodes, { 404: 6 })
  for (const [error, answer] of heard) {
    assert.strictEqual(error, 'Status code 404')
    assert.strictEqual(answer.body, `body ${answer.labels.number}`)
    assert.strictEqual(answer.path, `/n${answer.labels.number}`)
    assert.strictEqual(answer.method, 'PUT')
    assert.strictEqual(answer.host, 'localhost')
    assert.ok(answer.requestElapsed > 0)
  }
  assert.deepStrictEqual(heard.map(([, answer]) => answer.requestIndex), [0, 1, 2, 3, 4, 5])
})

test('the body of the options goes out when the generator leaves the request open', async (t) => {
  const { url, seen } = await httpServer(t)
  for (const method of ['GET', 'PUT']) {
    await loadTest({
      url, maxRequests: 2, method, body: (id) => ({ id: id.length }), requestGenerator: plain,
      agentKeepAlive: true, quiet: true
    })
  }
  assert.deepStrictEqual(seen.map(({ method, body, headers }) =>
    `${method} ${body} ${headers['content-length']}`), [
    'GET {"id":36} 9', 'GET {"id":36} 9', 'PUT {"id":36} 9', 'PUT {"id":36} 9'
  ])
})

test('as the path of a module: ES or CommonJS, synchronous or not', async (t) => {
  const { url, seen } = await httpServer(t)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-generator-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const body = '(params, options, client, callback) => { options.path = "/" + NAME; ' +
    'return client(options, callback) }'
  const write = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text.replace('NAME', JSON.stringify(name)))
    return path.relative(process.cwd(), path.join(folder, name))
  }
  for (const file of [write('a.mjs', `export default ${body}`),
    write('b.cjs', `module.exports = ${body}`),
    write('c.cjs', `exports.default = ${body}`),
    write('d.mjs', `export default async ${body}`)]) {
    const result = await loadTest({ url, maxRequests: 3, requestGenerator: file, quiet: true })
    assert.strictEqual(result.totalRequests, 3)
  }
  assert.deepStrictEqual([...new Set(seen.map((request) => request.url))],
    ['/a.mjs', '/b.cjs', '/c.cjs', '/d.mjs'])
  await assert.rejects(loadTest({ url, requestGenerator: write('e.mjs', 'export const a = 1') }),
    /exports no function/)
})

test('keeps connections or not, as asked', async (t) => {
  const facts = await httpServer(t)
  const options = {
    url: facts.url, maxRequests: 30, concurrency: 3, requestGenerator: plain, quiet: true
  }
  const kept = await loadTest({ ...options, agentKeepAlive: true })
  assert.strictEqual(facts.connections, 3)
  assert.strictEqual(kept.agent, 'keepalive')
  assert.strictEqual(kept.clients, 3)
  await loadTest(options)
  assert.strictEqual(facts.connections, 33)
  // Nothing is left behind that would keep the process.
  for (let i = 0; i < 100 && facts.open > 0; ++i) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.strictEqual(facts.open, 0)
})

test('requestsPerSecond is an open loop', async (t) => {
  // The server answers late: a closed loop would have to wait for it.
  const facts = await httpServer(t, (request, response) => setTimeout(() => response.end(), 300))
  const result = await loadTest({
    url: facts.url,
    maxRequests: 20,
    concurrency: 1,
    requestsPerSecond: 100,
    requestGenerator: plain,
    quiet: true
  })
  assert.strictEqual(result.totalRequests, 20)
  assert.ok(result.clients > 1, `${result.clients}`)
  assert.ok(result.elapsedSeconds >= 0.19 + 0.29, `${result.elapsedSeconds}`)
  assert.ok(result.minLatencyMs >= 290)
})

test('connections are counted from when they stand, not from their answers', async (t) => {
  // Answers one after the other, each when the connection of the one before has closed.
  const waiting = []
  const facts = await httpServer(t, (request, response) => {
    waiting.push(response)
    if (waiting.length === 5) answerNext()
  })
  const answerNext = () => {
    const response = waiting.shift()
    if (!response) return
    response.socket.once('close', answerNext)
    response.end()
  }
  const result = await loadTest({
    url: facts.url,
    maxRequests: 5,
    requestsPerSecond: 100,
    requestGenerator: plain,
    quiet: true
  })
  assert.strictEqual(result.totalErrors, 0)
  assert.strictEqual(result.clients, 5)
})

test('maxSeconds ends it; what is in flight is counted as such', async (t) => {
  const facts = await httpServer(t, () => {})
  const result = await loadTest({
    url: facts.url, maxSeconds: 0.2, concurrency: 3, requestGenerator: plain, quiet: true
  })
  assert.strictEqual(result.totalRequests, 0)
  assert.strictEqual(result.carronade.inFlight, 3)
  assert.ok(result.elapsedSeconds < 30)
  assert.ok(Number.isNaN(result.percentiles[99]))
})

test('a late request is aborted, and its answer counts no second time', async (t) => {
  const facts = await httpServer(t, (request, response) => setTimeout(() => response.end(), 300))
  const heard = []
  const result = await loadTest({
    url: facts.url,
    maxRequests: 4,
    concurrency: 2,
    timeout: 50,
    requestGenerator: plain,
    statusCallback: (error, answer) => heard.push([error, answer]),
    quiet: true
  })
  assert.deepStrictEqual(heard, Array(4).fill(['Connection timed out', undefined]))
  assert.deepStrictEqual([result.totalRequests, result.errorCodes], [4, { '-1': 4 }])
  assert.strictEqual(result.carronade.errors[0].kind, 'timeout')
})

test('errors have the engine\'s names', async (t) => {
  const closes = await rawServer(t, (socket) => socket.once('data', () => socket.end()))
  const cuts = await rawServer(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhal')))
  const talks = await rawServer(t, (socket) =>
    socket.once('data', () => socket.end('hello\r\n\r\n')))
  for (const [url, kind] of [
    [`http://127.0.0.1:${await closedPort()}`, 'connect_refused'],
    [closes.url, 'closed_before_response'],
    [cuts.url, 'truncated_response'],
    [talks.url, 'malformed_response'],
    ['http://none.invalid', 'resolve_failed']
  ]) {
    const result = await loadTest({
      url, maxRequests: 4, concurrency: 2, requestGenerator: plain, quiet: true
    })
    assert.deepStrictEqual(result.carronade.errors.map((row) => [row.kind, row.count]), [[kind, 4]])
    assert.deepStrictEqual([result.totalRequests, result.errorCodes], [4, { '-1': 4 }])
  }
})

test('https: certificates are verified unless insecure', async (t) => {
  const { url } = await listening(t, https.createServer({ cert: certificate, key },
    (request, response) => response.end('ok')), { url: '', connections: 0, open: 0 }, 'https')
  const options = {
    url,
    maxRequests: 3,
    requestGenerator: plain,
    quiet: true
  }
  const strict = await loadTest(options)
  assert.deepStrictEqual(strict.carronade.errors.map((row) => row.kind), ['tls_certificate'])
  const lax = await loadTest({ ...options, insecure: true })
  assert.deepStrictEqual([lax.totalRequests, lax.totalErrors], [3, 0])
})

test('a generator that returns no request is told so', async (t) => {
  const { url } = await httpServer(t)
  for (const requestGenerator of [() => {}, async () => 7]) {
    await assert.rejects(loadTest({ url, maxRequests: 3, requestGenerator, quiet: true }),
      /^Error: requestGenerator must return the request/)
  }
  await assert.rejects(loadTest({ url, requestGenerator: async () => { throw new Error('mine') } }),
    /mine/)
})
