'use strict'

// WebSocket targets through loadtest's API, against the npm package ws.

const assert = require('assert')
const fs = require('fs')
const http = require('http')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const { WebSocketServer } = require('ws')
const { loadTest, startServer } = require('../loadtest')
const { closedPort, httpServer, listening } = require('./support/servers')

/** An echo server that keeps what it was sent. */
async function echoServer(t, answer = (message) => message) {
  const server = http.createServer()
  const facts = { url: '', connections: 0, open: 0, messages: [], heads: [], closes: [] }
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket, request) => {
    facts.heads.push(request.headers)
    socket.on('error', () => {})
    socket.on('close', (code) => facts.closes.push(code))
    socket.on('message', (data, binary) => {
      const message = binary ? data : data.toString()
      facts.messages.push(message)
      socket.send(answer(message))
    })
  })
  return listening(t, server, facts, 'ws')
}

test('one message in flight a connection, JSON, and a close in the end', async (t) => {
  const facts = await echoServer(t)
  const result = await loadTest({
    url: facts.url,
    maxRequests: 50,
    concurrency: 5,
    body: { type: 'ping' },
    headers: { 'x-a': 'b' },
    cookies: ['c=d'],
    quiet: true
  })
  assert.deepStrictEqual([result.totalRequests, result.totalErrors, result.clients], [50, 0, 5])
  assert.strictEqual(facts.connections, 5)
  assert.deepStrictEqual([...new Set(facts.messages)], ['{"type":"ping"}'])
  assert.deepStrictEqual([facts.heads[0]['x-a'], facts.heads[0].cookie], ['b', 'c=d'])
  for (let i = 0; i < 200 && facts.closes.length < 5; ++i) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.deepStrictEqual(facts.closes, Array(5).fill(1000))
})

for (const [name, options, wanted] of [
  ['nothing', {}, '{"some":"message"}'],
  ['a text', { body: 'hello' }, '"hello"'],
  ['a function', { body: (id) => ({ long: id.length }) }, '{"long":36}'],
  ['bytes', { body: Buffer.from([1, 2, 255]) }, Buffer.from([1, 2, 255])],
  ['a request generator', {
    requestGenerator(params, request, client, callback) {
      client(request, callback).write('wrïtten')
    }
  }, 'wrïtten']
]) {
  test(`the message: ${name}`, async (t) => {
    const { url, messages } = await echoServer(t)
    const result = await loadTest({ url, maxRequests: 5, concurrency: 2, quiet: true, ...options })
    assert.deepStrictEqual([result.totalRequests, result.totalErrors], [5, 0])
    assert.deepStrictEqual(messages, Array(5).fill(wanted))
  })
}

test('an index in each message', async (t) => {
  const { url, messages } = await echoServer(t)
  await loadTest({ url, maxRequests: 20, body: { id: 'INDEX' }, indexParam: 'INDEX', quiet: true })
  assert.strictEqual(new Set(messages).size, 20)
  assert.match(messages[0], /^\{"id":"\d+"\}$/)
})

test('callbacks hear the answers', async (t) => {
  const { url } = await echoServer(t, (message) => `answer to ${message}`)
  const heard = []
  const result = await loadTest({
    url,
    maxRequests: 4,
    statusCallback: (error, answer) => heard.push([error, answer.body]),
    contentInspector: (answer) => { answer.customError = answer.requestElapsed > 0 && 'mine' },
    quiet: true
  })
  assert.deepStrictEqual(heard,
    Array(4).fill(['Custom error: mine', 'answer to {"some":"message"}']))
  assert.strictEqual(result.totalErrors, 4)
})

test('requestsPerSecond works here, too', async (t) => {
  const { url, messages } = await echoServer(t)
  const result = await loadTest({ url, maxRequests: 20, requestsPerSecond: 100, quiet: true })
  assert.strictEqual(messages.length, 20)
  assert.strictEqual(result.totalErrors, 0)
  assert.ok(result.elapsedSeconds >= 0.19)
})

test('a refused handshake is an error under its status', async (t) => {
  const { url } = await httpServer(t, (request, response) => response.writeHead(403).end())
  const refused = await loadTest({
    url: url.replace('http', 'ws'), maxRequests: 4, concurrency: 2, quiet: true
  })
  assert.deepStrictEqual(refused.errorCodes, { 403: refused.totalErrors })
  assert.ok(refused.totalErrors > 0 && refused.totalErrors === refused.totalRequests)
  const nobody = await loadTest({
    url: `ws://127.0.0.1:${await closedPort()}`, maxRequests: 4, concurrency: 2, quiet: true
  })
  assert.deepStrictEqual(nobody.errorCodes, { '-1': 4 })
})

test('the test server of the package', async () => {
  const server = await startServer({ port: 0, quiet: true })
  const result = await loadTest({
    url: `ws://localhost:${server.port}`, maxRequests: 100, concurrency: 10, body: { hi: 'there' },
    quiet: true
  })
  await server.close()
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [100, 0])
})

test('a file\'s text goes out as JSON, like any other; bytes as they are', async (t) => {
  const facts = await echoServer(t)
  const file = path.join(os.tmpdir(), `carronade-message-${process.pid}.txt`)
  fs.writeFileSync(file, 'a=idx')
  t.after(() => fs.rmSync(file))
  const options = { url: facts.url, maxRequests: 1, quiet: true }
  await loadTest({ ...options, postFile: file })
  await loadTest({ ...options, postFile: file, indexParam: 'idx', indexParamCallback: () => 7 })
  await loadTest({ ...options, body: Buffer.from('a=idx') })
  assert.deepStrictEqual(facts.messages, ['"a=idx"', '"a=7"', Buffer.from('a=idx')])
})
