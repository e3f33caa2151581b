'use strict'

const test = require('node:test')
const assert = require('node:assert')
const carronade = require('..')
const { httpServer, rawServer } = require('./support/servers')

// The client of a run that sends nothing.
function first(opts) {
  let found = null
  const tracker = carronade({ connections: 1, amount: 1, ...opts, setupClient(client) {
    found = client
  } })
  tracker.stop()
  return found
}

test('the bytes of the request are known at once and after each setter', () => {
  const host = 'localhost:3000'
  const start = (line) => `${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n`
  const client = first({ url: 'localhost:3000', method: 'POST', body: 'hello world' })
  const bytes = () => {
    assert.ok(Buffer.isBuffer(client.getRequestBuffer()))
    return client.getRequestBuffer().toString()
  }
  assert.strictEqual(bytes(), start('POST /') + 'Content-Length: 11\r\n\r\nhello world')
  client.setHeadersAndBody({ header: 'modified' }, 'modified')
  assert.strictEqual(bytes(),
    start('POST /') + 'header: modified\r\nContent-Length: 8\r\n\r\nmodified')
  client.setBody(null)
  assert.strictEqual(bytes(), start('POST /') + 'header: modified\r\n\r\n')
  client.setHeaders(null)
  assert.strictEqual(bytes(), start('POST /') + '\r\n')
  client.setBody(Buffer.from('bytes'))
  assert.strictEqual(bytes(), start('POST /') + 'Content-Length: 5\r\n\r\nbytes')
  client.setRequest({ method: 'PUT', path: '/x', headers: { a: 'b' }, body: '1' })
  assert.strictEqual(bytes(), start('PUT /x') + 'a: b\r\nContent-Length: 1\r\n\r\n1')
  client.setRequests([{ path: '/1' }, { path: '/2' }])
  assert.match(bytes(), /^POST \/1 HTTP/)
  assert.strictEqual(client.requestIterator.currentRequest.path, '/1')
})

test('what setupClient sets is in the first bytes', async (t) => {
  const server = await httpServer(t)
  let number = 0
  await carronade({
    url: server.url,
    connections: 2,
    amount: 4,
    headers: { all: 'yes' },
    setupClient(client) {
      number += 1
      if (number === 1) client.setHeadersAndBody({ own: '1' }, 'one')
      else client.setRequest({ method: 'PUT', path: '/two', body: 'two' })
    }
  })
  const found = server.seen.map(({ method, url, headers, body }) =>
    `${method} ${url} ${headers.all} ${headers.own} ${body}`)
  assert.deepStrictEqual(new Set(found), new Set(['GET / yes 1 one', 'PUT /two yes undefined two']))
})

test('setters throw with a pipeline', () => {
  const client = first({ url: 'localhost:3000', pipelining: 2, amount: 4 })
  for (const name of ['setHeaders', 'setBody', 'setHeadersAndBody', 'setRequest', 'setRequests']) {
    assert.throws(() => client[name](), {
      message: 'cannot update requests when the piplining factor is greater than 1'
    })
  }
})

test('headers, body, trailers and response, as the server sent them', async (t) => {
  const { url } = await rawServer(t, (socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 203 Fine\r\nX-Name: a\r\nx-name: b\r\n' +
      'Transfer-Encoding: chunked\r\nTrailer: Content-MD5\r\n\r\n' +
      '5\r\nhello\r\n6\r\n world\r\n0\r\nContent-MD5: abc=\r\n\r\n'))
  })
  const events = []
  let bytes = 0
  await carronade({
    url,
    connections: 1,
    amount: 1,
    setupClient(client) {
      client.on('headers', ({ statusCode, statusMessage, headers }) =>
        events.push(['headers', statusCode, statusMessage, headers]))
      client.on('body', (body) => {
        assert.ok(Buffer.isBuffer(body))
        events.push(['body', body.toString()])
      })
      client.on('trailers', (trailers) => events.push(['trailers', trailers]))
      client.on('response', (status, size, ms) => {
        bytes = size
        assert.ok(ms > 0)
        events.push(['response', status])
      })
    }
  })
  assert.deepStrictEqual(events, [
    ['headers', 203, 'Fine', ['X-Name', 'a', 'x-name', 'b', 'Transfer-Encoding', 'chunked',
      'Trailer', 'Content-MD5']],
    ['body', 'hello world'],
    ['trailers', ['Content-MD5', 'abc=']],
    ['response', 203]
  ])
  assert.ok(bytes >= 100, `${bytes} bytes`)
})

test('an empty body is no body event', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    response.statusCode = 204
    response.end()
  })
  const events = []
  await carronade({ url, connections: 1, amount: 2, setupClient(client) {
    client.on('body', () => events.push('body'))
    client.on('response', (status) => events.push(status))
  } })
  assert.deepStrictEqual(events, [204, 204])
})

test('destroy from within an event: done, and no answer after it', async (t) => {
  const server = await httpServer(t)
  for (const event of ['headers', 'body', 'response']) {
    const events = []
    const result = await carronade({ url: server.url, connections: 1, duration: 20,
      setupClient(client) {
        client.on('response', () => events.push('response'))
        client.on('done', () => events.push('done'))
        client.on(event, () => client.destroy())
      } })
    assert.deepStrictEqual(events, event === 'response' ? ['response', 'done'] : ['done'], event)
    assert.ok(result.duration < 5, `${result.duration} s`)
  }
})

test('destroying one connection leaves the others', async (t) => {
  const server = await httpServer(t)
  const counts = [0, 0]
  let number = 0
  await carronade({ url: server.url, connections: 2, duration: 0.5, setupClient(client) {
    const own = number++
    client.on('response', () => {
      counts[own] += 1
      if (own === 0 && counts[own] === 3) client.destroy()
    })
  } })
  assert.strictEqual(counts[0], 3)
  assert.ok(counts[1] > 3, String(counts))
})

test('several URLs: connection i uses URL i mod n, with its own Host', async (t) => {
  const servers = [await httpServer(t), await httpServer(t)]
  const opts = { url: servers.map(({ url }, i) => `${url}/${i}`), connections: 4, amount: 40 }
  for (const more of [{}, { setupClient() {} }]) {
    const result = await carronade({ ...opts, ...more })
    assert.deepStrictEqual(result.url, opts.url)
    assert.strictEqual(result['2xx'], 40)
  }
  for (const [i, server] of servers.entries()) {
    assert.strictEqual(server.connections, 4)
    for (const { url, headers } of server.seen) {
      assert.strictEqual(`${url} ${headers.host}`, `/${i} localhost:${server.port}`)
    }
  }
})

test('what a client destroyed before the start would have sent the others send', async (t) => {
  const servers = [await httpServer(t), await httpServer(t)]
  const url = servers.map((server) => server.url)
  for (const [at, pipelining] of [['setup', 1], ['setup', 4], ['start', 1], ['start', 4]]) {
    const clients = []
    for (const server of servers) server.seen.length = server.connections = 0
    const run = carronade({ url, connections: 4, pipelining, amount: 30, setupClient(client) {
      clients.push(client)
      if (at === 'setup' && clients.length === 2) client.destroy()
    } })
    run.on('start', () => clients[1].destroy())
    const last = clients[3]
    let heard = 0
    last.on('response', () => { heard += 1 })
    const result = await run
    assert.strictEqual(result['2xx'], 30, `${at} ${pipelining}`)
    assert.strictEqual(result.requests.sent, 30)
    assert.deepStrictEqual(servers.map(({ connections }) => connections), [2, 1])
    assert.ok(heard > 0)
  }
})
