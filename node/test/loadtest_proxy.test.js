'use strict'

// The option proxy: absolute requests to http targets, tunnels to https and ws ones.

const assert = require('assert')
const http = require('http')
const https = require('https')
const net = require('net')
const { test } = require('node:test')
const { WebSocketServer } = require('ws')
const { loadTest } = require('../loadtest')
const { certificate, key } = require('./support/certificate')
const { httpServer, listening } = require('./support/servers')

/** A proxy that keeps what it was asked. */
async function proxyServer(t) {
  const facts = { url: '', connections: 0, open: 0, asked: [], credentials: [] }
  const server = http.createServer((request, response) => {
    facts.asked.push(`${request.method} ${request.url}`)
    facts.credentials.push(request.headers['proxy-authorization'])
    const { hostname, port, pathname, search } = new URL(request.url)
    const headers = { ...request.headers }
    delete headers['proxy-authorization']
    const { method } = request
    const options = { hostname, port, path: pathname + search, method, headers }
    const onward = http.request(options, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  server.on('connect', (request, socket) => {
    facts.asked.push(`CONNECT ${request.url}`)
    facts.credentials.push(request.headers['proxy-authorization'])
    const [host, port] = request.url.split(':')
    const onward = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.on('close', () => onward.destroy())
  })
  return listening(t, server, facts)
}

for (const [name, options] of [['', {}],
  [', bodies made here', { body: () => 'x', method: 'PUT' }]]) {
  test(`http targets${name}`, async (t) => {
    const { url, seen } = await httpServer(t)
    const proxy = await proxyServer(t)
    const result = await loadTest({
      url: `${url}/a?b=c`,
      maxRequests: 6,
      concurrency: 2,
      agentKeepAlive: true,
      proxy: proxy.url.replace('http://', 'http://me:word@'),
      quiet: true,
      ...options
    })
    assert.deepStrictEqual([result.totalRequests, result.errorCodes], [6, {}])
    assert.deepStrictEqual(seen.map((request) => request.url), Array(6).fill('/a?b=c'))
    const method = options.method || 'GET'
    assert.deepStrictEqual(proxy.asked, Array(6).fill(`${method} ${url}/a?b=c`))
    const basic = `Basic ${Buffer.from('me:word').toString('base64')}`
    assert.deepStrictEqual([...new Set(proxy.credentials)], [basic])
    assert.ok(!seen.some(({ headers }) => 'proxy-authorization' in headers))
  })
}

test('https targets', async (t) => {
  const { url } = await listening(t, https.createServer({ cert: certificate, key },
    (request, response) => response.end('ok')), { url: '', connections: 0, open: 0 }, 'https')
  const proxy = await proxyServer(t)
  for (const options of [{}, { body: () => 'x', method: 'POST' }]) {
    proxy.asked.length = 0
    const result = await loadTest({
      url, maxRequests: 6, concurrency: 2, keepalive: true, proxy: proxy.url, insecure: true,
      quiet: true, ...options
    })
    assert.deepStrictEqual([result.totalRequests, result.errorCodes], [6, {}])
    assert.deepStrictEqual(proxy.asked, Array(2).fill(`CONNECT ${url.replace('https://', '')}`))
  }
})

test('ws targets', async (t) => {
  const server = http.createServer()
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('error', () => {})
    socket.on('message', (data) => socket.send(data.toString()))
  })
  const { url } = await listening(t, server, { url: '', connections: 0, open: 0 }, 'ws')
  const proxy = await proxyServer(t)
  const result = await loadTest({
    url, maxRequests: 6, concurrency: 2, proxy: proxy.url, quiet: true
  })
  assert.deepStrictEqual([result.totalRequests, result.errorCodes], [6, {}])
  assert.deepStrictEqual(proxy.asked, Array(2).fill(`CONNECT ${url.replace('ws://', '')}`))
})

test('a proxy beside a requestGenerator is refused', async () => {
  await assert.rejects(loadTest({
    url: 'http://a', proxy: 'localhost:1', requestGenerator: () => {}, quiet: true
  }), /^Error: proxy: a requestGenerator has to give/)
})
