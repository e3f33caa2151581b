'use strict'

// What happens to connections: limits, reconnects, errors, other transports.

const test = require('node:test')
const assert = require('node:assert')
const fs = require('fs')
const http = require('http')
const https = require('https')
const os = require('os')
const path = require('path')
const carronade = require('..')
const { httpServer, rawServer, listening, closedPort } = require('./support/servers')

const BOTH_WAYS = [{}, { setupClient() {} }]

test('reconnectRate 2 and amount 20: ten connections', async (t) => {
  for (const more of BOTH_WAYS) {
    const server = await httpServer(t)
    const result = await carronade({
      url: server.url, connections: 1, amount: 20, reconnectRate: 2, ...more
    })
    assert.strictEqual(server.connections, 10)
    assert.strictEqual(server.seen.length, 20)
    assert.strictEqual(result.requests.sent, 20)
    assert.strictEqual(result.requests.total, 20)
    assert.strictEqual(result.errors, 0)
  }
})

test('requests without an answer time out and use up the amount', async (t) => {
  for (const more of BOTH_WAYS) {
    const { url } = await rawServer(t, (socket) => socket.resume())
    const errors = []
    let timeouts = 0
    const setupClient = more.setupClient && ((client) => client.on('timeout', () => {
      timeouts += 1
    }))
    const tracker = carronade({
      url, connections: 5, amount: 10, timeout: 1, ...(setupClient ? { setupClient } : {})
    })
    tracker.on('reqError', (error) => errors.push(error))
    const result = await tracker
    assert.strictEqual(result.errors, 10)
    assert.strictEqual(result.timeouts, 10)
    assert.strictEqual(result.requests.sent, 10)
    assert.strictEqual(result.requests.total, 0)
    assert.ok(errors.every((error) => error instanceof Error))
    assert.deepStrictEqual(errors.map(({ message }) => message),
      Array(10).fill('request timed out'))
    if (setupClient) assert.strictEqual(timeouts, 10)
  }
})

test('a refused connection is a reqError with an Error, and bailout ends the run', async () => {
  const url = `http://127.0.0.1:${await closedPort()}`
  for (const more of BOTH_WAYS) {
    const errors = []
    const tracker = carronade({ url, connections: 2, duration: 20, bailout: 4, ...more })
    tracker.on('reqError', (error) => errors.push(error))
    const result = await tracker
    assert.ok(result.errors >= 4 && result.duration < 10)
    assert.strictEqual(result.requests.min, 0)
    assert.strictEqual(result.timeouts, 0)
    assert.ok(errors.length >= 4)
    assert.ok(errors.every((error) => error instanceof Error && error.code === 'ECONNREFUSED'))
    assert.match(errors[0].message, /127\.0\.0\.1/)
  }
})

test('a connection that is reset on every request: errors, and the run goes on', async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.once('data', () => socket.resetAndDestroy())
  })
  for (const more of BOTH_WAYS) {
    const errors = []
    let heard = 0
    const setupClient = more.setupClient && ((client) => client.on('connError', () => {
      heard += 1
    }))
    const tracker = carronade({
      url, connections: 2, amount: 6, method: 'POST', ...(setupClient ? { setupClient } : {})
    })
    tracker.on('reqError', (error) => errors.push(error))
    const result = await tracker
    assert.strictEqual(result.errors, 6)
    assert.strictEqual(result.requests.total, 0)
    assert.strictEqual(errors.length, 6)
    assert.ok(errors.every((error) => error instanceof Error))
    if (setupClient) assert.strictEqual(heard, 6)
  }
})

test('a server that closes after each answer costs no request', async (t) => {
  for (const more of [...BOTH_WAYS, { requests: [{ setupRequest: (request) => request }] }]) {
    const server = await httpServer(t, (request, response) => {
      response.setHeader('Connection', 'close')
      response.end('bye')
    })
    const result = await carronade({ url: server.url, connections: 2, amount: 20, ...more })
    assert.strictEqual(result['2xx'], 20)
    assert.strictEqual(result.errors, 0)
    assert.strictEqual(server.seen.length, 20)
  }
})

test('maxConnectionRequests and maxOverallRequests end the run before its duration', async (t) => {
  for (const more of BOTH_WAYS) {
    const server = await httpServer(t)
    const opts = { url: server.url, connections: 3, duration: 20, ...more }
    assert.strictEqual((await carronade({ ...opts, maxConnectionRequests: 4 }))['2xx'], 12)
    assert.strictEqual((await carronade({ ...opts, maxOverallRequests: 20 }))['2xx'], 20)
    const amount = await carronade({ ...opts, amount: 7, maxConnectionRequests: 1 })
    assert.strictEqual(amount['2xx'], 7)
  }
})

test('a rate is kept, and amount ends it', async (t) => {
  for (const more of BOTH_WAYS) {
    const server = await httpServer(t)
    const overall = await carronade({
      url: server.url, connections: 2, overallRate: 40, amount: 20, ...more
    })
    assert.strictEqual(overall['2xx'], 20)
    assert.strictEqual(overall.requests.sent, 20)
    assert.ok(overall.duration > 0.35 && overall.duration < 1.2, `${overall.duration} s`)
    const each = await carronade({
      url: server.url, connections: 2, connectionRate: 20, duration: 1,
      ignoreCoordinatedOmission: true, ...more
    })
    assert.ok(each.requests.total >= 38 && each.requests.total <= 42, `${each.requests.total}`)
    assert.strictEqual(each.latency.totalCount, each.requests.total)
    const fewer = await carronade({ url: server.url, overallRate: 4, amount: 4, ...more })
    assert.strictEqual(fewer.connections, 4)
  }
})

test('a Unix socket, with the Host of the URL', async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-'))
  const socketPath = path.join(folder, 's')
  const seen = []
  const server = http.createServer((request, response) => {
    seen.push(`${request.headers.host}${request.url}`)
    response.end('x')
  })
  await new Promise((resolve) => server.listen(socketPath, resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
    fs.rmSync(folder, { recursive: true })
  })
  for (const more of BOTH_WAYS) {
    const opts = { url: 'example.com/foo', socketPath, connections: 1, amount: 2, ...more }
    const result = await carronade(opts)
    assert.strictEqual(result['2xx'], 2)
    assert.strictEqual(result.socketPath, socketPath)
  }
  assert.deepStrictEqual(new Set(seen), new Set(['example.com/foo']))
  const result = await carronade({ socketPath, connections: 1, amount: 1 })
  assert.strictEqual(result['2xx'], 1)
})

test('TLS: the server’s name, a client certificate, contents as text or bytes', async (t) => {
  const { certificate, key } = require('./support/certificate')
  const names = []
  const server = https.createServer({
    cert: certificate, key, requestCert: true, rejectUnauthorized: false
  }, (request, response) => {
    const { servername } = request.socket
    names.push(`${servername} ${Boolean(request.socket.getPeerCertificate().subject)}`)
    response.end('secret')
  })
  const { url } = await listening(t, server, { connections: 0, open: 0 }, 'https')
  const opts = { url, connections: 1, amount: 1 }
  for (const more of BOTH_WAYS) {
    names.length = 0
    assert.strictEqual((await carronade({ ...opts, ...more }))['2xx'], 1)
    await carronade({ ...opts, ...more, servername: 'other.example' })
    await carronade({ ...opts, ...more, url: url.replace('localhost', '127.0.0.1') })
    await carronade({ ...opts, ...more, tlsOptions: { cert: certificate, key } })
    await carronade({
      ...opts, ...more, tlsOptions: { cert: Buffer.from(certificate), key: Buffer.from(key) }
    })
    assert.deepStrictEqual(names, ['localhost false', 'other.example false', 'false false',
      'localhost true', 'localhost true'])
  }
})

test('debug shows the errors of connections on standard error', async (t) => {
  const shown = t.mock.method(console, 'error', () => {})
  const url = `http://127.0.0.1:${await closedPort()}`
  await carronade({ url, connections: 1, duration: 20, bailout: 2, debug: true })
  assert.ok(shown.mock.callCount() >= 2)
  assert.match(shown.mock.calls[0].arguments[0].message, /127\.0\.0\.1/)
})

test('a name that nobody knows is a reqError, and the run ends', async () => {
  for (const more of BOTH_WAYS) {
    const errors = []
    const tracker = carronade({ url: 'http://nonexistent.invalid', amount: 10, ...more })
    tracker.on('reqError', (error) => errors.push(error))
    const result = await tracker
    assert.strictEqual(result.errors, 1)
    assert.strictEqual(result.requests.sent, 0)
    assert.strictEqual(result.requests.min, 0)
    assert.deepStrictEqual(errors.map(({ code }) => code), ['ENOTFOUND'])
  }
})
