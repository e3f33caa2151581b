'use strict'

// In which order a run calls its user: what code written for autocannon may rely on.

const test = require('node:test')
const assert = require('node:assert')
const carronade = require('..')
const { httpServer } = require('./support/servers')

test('two requests on one connection, everything listened to', async (t) => {
  const { url } = await httpServer(t)
  const order = []
  const note = (name) => () => { order.push(name) }
  await new Promise((resolve, reject) => {
    const tracker = carronade({
      url,
      connections: 1,
      amount: 2,
      requests: [{
        setupRequest(request) {
          order.push('setupRequest')
          return request
        },
        onResponse: note('onResponse')
      }],
      setupClient(client) {
        order.push('setupClient')
        for (const event of ['request', 'headers', 'body', 'response', 'done']) {
          client.on(event, note(`client:${event}`))
        }
      }
    }, (error) => {
      order.push('callback')
      if (error) reject(error)
      else resolve()
    })
    order.push('returned')
    for (const event of ['start', 'response', 'tick', 'done']) {
      tracker.on(event, note(`tracker:${event}`))
    }
  })
  const answer = ['client:headers', 'client:body', 'onResponse', 'client:response',
    'tracker:response']
  assert.deepStrictEqual(order, [
    'setupRequest', 'setupClient', 'client:request', 'returned', 'tracker:start',
    ...answer, 'client:request', 'setupRequest',
    ...answer, 'client:done', 'tracker:tick', 'tracker:done', 'callback'
  ])
})

test('clients are set up in order, before any connection', async (t) => {
  const server = await httpServer(t)
  const clients = []
  const tracker = carronade({
    url: server.url,
    connections: 5,
    amount: 20,
    setupClient(client) {
      assert.strictEqual(server.connections, 0)
      assert.ok(!clients.includes(client))
      clients.push(client)
      client.setHeaders({ number: String(clients.length) })
    }
  })
  assert.strictEqual(clients.length, 5)
  await tracker
  assert.strictEqual(server.seen.length, 20)
  const numbers = new Set(server.seen.map((request) => request.headers.number))
  assert.deepStrictEqual([...numbers].sort(), ['1', '2', '3', '4', '5'])
})

test('with a pipeline the list stays exactly that far ahead', async (t) => {
  const { url } = await httpServer(t)
  const order = []
  const request = (name) => ({
    path: `/${name}`,
    setupRequest(plain) {
      order.push(name)
      return plain
    },
    onResponse() { order.push(name.toUpperCase()) }
  })
  await carronade({
    url, connections: 1, pipelining: 2, amount: 5,
    requests: [request('a'), request('b'), request('c')]
  })
  assert.deepStrictEqual(order, ['a', 'b', 'A', 'c', 'B', 'a', 'C', 'b', 'A', 'B'])
})

test('a listener of response that was added after the call hears every answer', async (t) => {
  const { url } = await httpServer(t, (request, response) => response.end('12345'))
  const heard = []
  const tracker = carronade({ url, connections: 2, amount: 10 })
  tracker.on('response', (client, status, bytes, ms) => {
    assert.strictEqual(status, 200)
    assert.ok(bytes > 5 && ms > 0 && ms < 5000)
    assert.strictEqual(typeof client.setHeaders, 'function')
    heard.push(client)
  })
  const result = await tracker
  assert.strictEqual(heard.length, 10)
  assert.strictEqual(new Set(heard).size, 2)
  assert.strictEqual(result['2xx'], 10)
})

test('a client in a response listener can change what comes next', async (t) => {
  const server = await httpServer(t)
  const tracker = carronade({ url: server.url, connections: 1, amount: 3 })
  let count = 0
  tracker.on('response', (client) => client.setBody(`after ${++count}`))
  await tracker
  assert.deepStrictEqual(server.seen.map((request) => request.body), ['', 'after 1', 'after 2'])
})

test('a listener that comes too late for what the run tells is told so, once', async (t) => {
  const { url } = await httpServer(t)
  const warnings = []
  const hear = (warning) => warnings.push(warning.message)
  process.on('warning', hear)
  t.after(() => process.removeListener('warning', hear))
  const opts = { url, connections: 1, duration: 0.3 }
  const threads = carronade(opts)
  threads.on('start', () => setTimeout(() => {
    threads.on('response', () => {})
    threads.on('response', () => {})
  }, 50))
  await threads
  const loop = carronade({ ...opts, setupClient(client) {
    client.once('response', () => client.on('body', () => {}))
  } })
  await loop
  await new Promise(setImmediate)
  assert.strictEqual(warnings.length, 2)
  assert.match(warnings[0], /listener of 'response' hears nothing.*before 'start'/)
  assert.match(warnings[1], /listener of 'body' hears nothing/)
})
