'use strict'

// startServer of carronade/loadtest: what it answers, how it fails, and how it ends.

const assert = require('assert')
const fs = require('fs')
const http = require('http')
const net = require('net')
const os = require('os')
const path = require('path')
const { once } = require('events')
const { test } = require('node:test')
const { WebSocket } = require('ws')
const { ErrorShare } = require('../lib/loadtest/error_share')
const { startServer } = require('../lib/loadtest/start_server')

async function started(t, options) {
  const server = await startServer({ port: 0, quiet: true, ...options })
  t.after(() => server.close())
  return server
}

function ask(port, { method = 'GET', body, headers = {}, agent = false } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({ port, method, headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => { text += part })
      response.on('end', () => resolve({ status: response.statusCode, text, response }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function open(port) {
  const client = new WebSocket(`ws://localhost:${port}/`)
  await once(client, 'open')
  return client
}

async function said(client, message) {
  client.send(message)
  const [data, binary] = await once(client, 'message')
  return { data, binary }
}

// What console.info says while `act` runs.
async function linesOf(t, act) {
  const lines = []
  const mock = t.mock.method(console, 'info', (line) => lines.push(line))
  await act()
  mock.mock.restore()
  return lines
}

test('answers OK at every path, on all addresses', async (t) => {
  const server = await started(t)
  assert.ok(server.port > 0)
  const { status, text } = await ask(server.port, { method: 'POST', body: 'x' })
  assert.deepStrictEqual([status, text], [200, 'OK'])
  const socket = net.connect(server.port, '127.0.0.1')
  socket.end('GET /any?thing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let bytes = ''
  for await (const part of socket) bytes += part
  assert.match(bytes, /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nOK$/)
  assert.strictEqual(server.totalRequests, 2)
})

test('is given to a callback too', async (t) => {
  let given
  const [error, server] = await new Promise((resolve) => {
    given = startServer({ port: 0, quiet: true }, (...back) => resolve(back))
  })
  t.after(() => server.close())
  assert.strictEqual(error, null)
  assert.strictEqual(server, given)
  assert.strictEqual((await ask(server.port)).text, 'OK')
  await new Promise((resolve) => server.close(resolve))
  await assert.rejects(ask(server.port), { code: 'ECONNREFUSED' })
})

test('says where it listens, unless quiet', async (t) => {
  let server
  const lines = await linesOf(t, async () => { server = await started(t, { quiet: false }) })
  assert.deepStrictEqual(lines, [`Listening on http://localhost:${server.port}/`])
  assert.deepStrictEqual(await linesOf(t, () => started(t)), [])
})

test('gives body, file, and JSON of an object', async (t) => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-')), 'page')
  fs.writeFileSync(file, 'of a file\xff', 'latin1')
  t.after(() => fs.rmSync(path.dirname(file), { recursive: true }))
  for (const [options, expected] of [
    [{ body: 'text' }, 'text'],
    [{ body: Buffer.from('bytes') }, 'bytes'],
    [{ body: { a: 1 } }, '{"a":1}'],
    [{ body: 'unused', file }, 'of a file\ufffd']
  ]) {
    const server = await started(t, options)
    assert.strictEqual((await ask(server.port)).text, expected)
  }
  await assert.rejects(startServer({ port: 0, file: `${file}.none` }), { code: 'ENOENT' })
})

test('fails all requests, or an exact share of them', async (t) => {
  const all = await started(t, { error: 503 })
  const { status, text } = await ask(all.port)
  assert.deepStrictEqual([status, text], [503, 'ERROR'])
  for (const [options, code, failed] of [
    [{ percent: 20 }, 500, 20],
    [{ percent: '7', error: '404' }, 404, 7],
    [{ percent: 0, error: 404 }, 404, 0]
  ]) {
    const server = await started(t, options)
    const agent = new http.Agent({ keepAlive: true })
    let errors = 0
    for (let i = 0; i < 100; i++) {
      if ((await ask(server.port, { agent })).status === code) errors += 1
    }
    agent.destroy()
    assert.strictEqual(errors, failed)
  }
})

test('carries fractions of the share on', () => {
  const share = new ErrorShare(0.5)
  let chosen = 0
  for (let i = 0; i < 1000; i++) chosen += share.next() ? 1 : 0
  assert.strictEqual(chosen, 5)
})

test('asks shouldErrorCustom and tells logger, with the body', async (t) => {
  const log = []
  const server = await started(t, {
    shouldErrorCustom: (request) => request.body === 'bad',
    logger: (request, response) => log.push([request.method, request.url, request.body,
      request.headers.accept, response.statusCode, response.writableEnded])
  })
  const post = (body) => ask(server.port, { method: 'POST', body, headers: { accept: 'x' } })
  assert.strictEqual((await post('good')).status, 200)
  assert.strictEqual((await post('bad')).status, 500)
  assert.deepStrictEqual(log, [['POST', '/', 'good', 'x', 200, true],
    ['POST', '/', 'bad', 'x', 500, true]])
})

test('waits before each answer', async (t) => {
  const server = await started(t, { delay: 50 })
  const start = process.hrtime.bigint()
  await Promise.all([ask(server.port), ask(server.port)])
  assert.ok(Number(process.hrtime.bigint() - start) / 1e6 >= 49)
})

test('says in words that the port is taken', async (t) => {
  const { port } = await started(t)
  const expected = { message: `Port ${port} in use, please free it and retry again` }
  await assert.rejects(startServer({ port, quiet: true }), expected)
  const error = await new Promise((resolve) => startServer({ port, quiet: true }, resolve))
  assert.strictEqual(error.message, expected.message)
})

test('refuses options that cannot be', async () => {
  for (const [name, value] of [['port', 'abc'], ['port', 70000], ['delay', -1], ['error', 99],
    ['percent', 101], ['percent', NaN]]) {
    await assert.rejects(startServer({ [name]: value }), new RegExp(`Invalid ${name}: `))
  }
  const error = await new Promise((resolve) => startServer({ port: -1 }, resolve))
  assert.match(error.message, /Invalid port: -1/)
})

test('prints one request about every 5 s', async (t) => {
  const server = await started(t, { quiet: false })
  const lines = await linesOf(t, async () => {
    await ask(server.port)
    server._linesAt -= 6000
    for (let i = 0; i < 20; i++) await ask(server.port, { method: 'POST', body: 'text' })
    server._linesAt -= 6000
    await ask(server.port, { method: 'POST', body: 'text' })
  })
  assert.strictEqual(lines.length, 5)
  assert.match(lines[0], /^Headers for POST to \/: \{[^]*host: 'localhost:\d+'[^]*\}$/)
  assert.strictEqual(lines[1], 'Body: text')
  assert.match(lines[2], /^Requests per second: [34]$/)
})

test('echoes WebSocket messages', async (t) => {
  const server = await started(t)
  const client = await open(server.port)
  assert.deepStrictEqual(await said(client, 'text'), { data: Buffer.from('text'), binary: false })
  assert.deepStrictEqual(await said(client, Buffer.from([0, 255])),
    { data: Buffer.from([0, 255]), binary: true })
  const long = Buffer.alloc(5000000, 'l')
  assert.ok((await said(client, long)).data.equals(long))
  client.ping('p')
  assert.strictEqual(String((await once(client, 'pong'))[0]), 'p')
  client.close(3000)
  assert.strictEqual((await once(client, 'close'))[0], 3000)
  assert.strictEqual(server.totalRequests, 3)
})

test('delays each message, in order', async (t) => {
  const server = await started(t, { delay: 50 })
  const client = await open(server.port)
  const messages = []
  client.on('message', (data) => messages.push(String(data)))
  const start = process.hrtime.bigint()
  client.send('one')
  client.send('two')
  while (messages.length < 2) await once(client, 'message')
  assert.ok(Number(process.hrtime.bigint() - start) / 1e6 >= 49)
  assert.deepStrictEqual(messages, ['one', 'two'])
  client.terminate()
})

test('refuses a handshake where it would fail a request', async (t) => {
  const server = await started(t, { error: 503 })
  const client = new WebSocket(`ws://localhost:${server.port}/`)
  const [error] = await once(client, 'error')
  assert.match(error.message, /503/)
})

test('ends a client that breaks the rules', async (t) => {
  const server = await started(t)
  const client = await open(server.port)
  client._socket.write(Buffer.from([0x81, 0x01, 0x78])) // without a mask
  assert.strictEqual((await once(client, 'close'))[0], 1002)
})

test('holds a bounded number of bytes for one who does not read', async (t) => {
  const server = await started(t)
  const client = await open(server.port)
  const message = Buffer.alloc(1024 * 1024)
  client.pause()
  for (let i = 0; i < 120; i++) client.send(message)
  await new Promise((resolve) => setTimeout(resolve, 500))
  assert.ok(server.totalRequests < 60, `${server.totalRequests} MiB were taken`)
  client.terminate()
})

test('closes idle connections and WebSockets, and answers what came', async () => {
  const server = await startServer({ port: 0, quiet: true, delay: 100 })
  const agent = new http.Agent({ keepAlive: true })
  await ask(server.port, { agent })
  const client = await open(server.port)
  const closed = once(client, 'close')
  const answer = ask(server.port, { agent })
  while (server.totalRequests < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  const ended = server.close()
  assert.strictEqual((await answer).text, 'OK')
  assert.strictEqual((await closed)[0], 1001)
  await ended
  await server.close()
  agent.destroy()
})

test('does not wait for who says nothing, and not for the end of who was refused', async () => {
  const server = await startServer({ port: 0, quiet: true, shouldErrorCustom: () => true })
  const silent = net.connect(server.port)
  const refused = net.connect({ port: server.port, allowHalfOpen: true })
  await Promise.all([once(silent, 'connect'), once(refused, 'connect')])
  refused.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  assert.match(String((await once(refused, 'data'))[0]), /^HTTP\/1\.1 500 /)
  const started = performance.now()
  await server.close()
  assert.ok(performance.now() - started < 2500)
  for (const socket of [silent, refused]) socket.destroy()
})

test('answers what came even when that takes longer than a second after close()', async () => {
  const server = await startServer({ port: 0, quiet: true, delay: 1500 })
  const answer = ask(server.port)
  while (server.totalRequests < 1) await new Promise((resolve) => setTimeout(resolve, 5))
  await Promise.all([server.close(), answer])
  assert.strictEqual((await answer).text, 'OK')
})
