'use strict'

// `requests` with its callbacks, ids, forms and archives, as a server sees them.

const test = require('node:test')
const assert = require('node:assert')
const { spawnSync } = require('child_process')
const carronade = require('..')
const { httpServer, rawServer } = require('./support/servers')

const lines = (server) => server.seen.map(({ method, url }) => `${method} ${url}`)

test('the list is sent in turn, with and without callbacks', async (t) => {
  const requests = [
    { path: '/a' },
    { method: 'POST', path: '/b', body: 'two', headers: { own: 'x' } },
    { method: 'PUT', body: Buffer.from('three') }
  ]
  const wanted = ['GET /a ', 'POST /b two', 'PUT /base?q three', 'GET /a ']
  for (const more of [{}, { setupClient() {} }, { setupClient() {}, pipelining: 2 }]) {
    const server = await httpServer(t)
    await carronade({
      url: `${server.url}/base?q#fragment`, connections: 1, amount: 4, headers: { all: 'y' },
      requests, ...more
    })
    assert.deepStrictEqual(
      server.seen.map(({ method, url, body }) => `${method} ${url} ${body}`), wanted)
    assert.deepStrictEqual(
      server.seen.map(({ headers }) => [headers.all, headers.own]),
      [['y', undefined], ['y', 'x'], ['y', undefined], ['y', undefined]])
  }
})

test('resets: a falsy setupRequest goes back to the first request on the same connection',
  async (t) => {
    const server = await httpServer(t)
    let events = 0
    const result = await carronade({
      url: server.url,
      connections: 1,
      amount: 10,
      requests: [
        { method: 'GET' },
        { method: 'PUT' },
        { method: 'POST', setupRequest: () => null }
      ],
      setupClient(client) {
        client.on('reset', () => { events += 1 })
      }
    })
    assert.strictEqual(result.resets, 4)
    assert.strictEqual(events, 4)
    assert.strictEqual(result.requests.total, 10)
    assert.deepStrictEqual(server.seen.map(({ method }) => method),
      Array(5).fill(['GET', 'PUT']).flat())
    assert.strictEqual(server.connections, 1)
  })

test('a flow: the id out of one answer goes into the next request', async (t) => {
  let nextId = 100
  const server = await httpServer(t, (request, response) => {
    if (request.method === 'POST' && request.url === '/products') {
      response.statusCode = 201
      response.end(JSON.stringify({ id: nextId++ }))
    } else {
      response.end('ok')
    }
  })
  const result = await carronade({
    url: server.url,
    connections: 2,
    amount: 40,
    headers: { 'content-type': 'application/json' },
    requests: [
      {
        method: 'POST',
        path: '/products',
        body: JSON.stringify({ name: 'a product' }),
        onResponse(status, body, context) {
          if (status === 201) context.id = JSON.parse(body).id
        }
      },
      {
        method: 'POST',
        setupRequest: (request, context) => ({
          ...request,
          path: `/products/${context.id}/catalog`,
          body: JSON.stringify({ id: context.id })
        })
      }
    ]
  })
  assert.strictEqual(result['2xx'], 40)
  assert.strictEqual(result.resets, 0)
  const made = server.seen.filter(({ url }) => url === '/products')
  const used = server.seen.filter(({ url }) => url !== '/products')
  // The connections share the amount, so that each may end on either request.
  assert.ok(used.length >= 19 && used.length <= 20, `${used.length}`)
  assert.strictEqual(made.length + used.length, 40)
  const ids = used.map(({ url, body }) => {
    const id = JSON.parse(body).id
    assert.strictEqual(url, `/products/${id}/catalog`)
    return id
  })
  assert.strictEqual(new Set(ids).size, used.length)
})

test('the context is one connection’s own and begins again with the list', async (t) => {
  const { url } = await httpServer(t)
  const seen = []
  await carronade({
    url,
    connections: 2,
    amount: 12,
    initialContext: { count: 5 },
    requests: [
      { onResponse(status, body, context) { context.count += 1 } },
      {
        setupRequest(request, context) {
          seen.push(context.count)
          return request
        }
      }
    ]
  })
  assert.ok(seen.length >= 6)
  assert.deepStrictEqual(new Set(seen), new Set([6]))
})

test('onResponse gets status, text, context and the headers as the server wrote them',
  async (t) => {
    const { url } = await rawServer(t, (socket) => {
      let number = 0
      socket.on('data', () => {
        number += 1
        socket.write(number === 1
          ? 'HTTP/1.1 204 No Content\r\nX-One: 1\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\nSet-Cookie: 123\r\nx-two: 2\r\nSet-Cookie: 456\r\n' +
            'Set-Cookie: 789\r\nContent-Length: 6\r\n\r\ngr\u00fcn\n')
      })
    })
    const answers = []
    await carronade({
      url,
      connections: 1,
      amount: 2,
      requests: [{ onResponse: (...all) => answers.push(all) }]
    })
    assert.deepStrictEqual(answers, [
      [204, '', {}, { 'X-One': '1' }],
      [200, 'grün\n', {}, {
        'Set-Cookie': ['123', '456', '789'], 'x-two': '2', 'Content-Length': '6'
      }]
    ])
  })

test('a body in many packets is one call', async (t) => {
  const long = 'a line of a long answer\n'.repeat(40000)
  const { url } = await httpServer(t, (request, response) => response.end(long))
  const bodies = []
  const result = await carronade({
    url, connections: 1, amount: 2,
    requests: [{ onResponse: (status, body) => bodies.push(body) }]
  })
  assert.strictEqual(bodies.length, 2)
  assert.ok(bodies.every((body) => body === long))
  assert.ok(result.throughput.total > 2 * long.length)
})

test('the request a callback answers to is its own, over a pipeline and reconnects', async (t) => {
  const server = await httpServer(t, (request, response) => response.end(request.url))
  let wrong = 0
  let right = 0
  const request = (path) => ({
    path,
    onResponse(status, body) {
      if (body === path) right += 1
      else wrong += 1
    }
  })
  await carronade({
    url: server.url, connections: 2, pipelining: 3, amount: 60, reconnectRate: 7,
    requests: [request('/a'), request('/b'), request('/c'), request('/d')]
  })
  assert.deepStrictEqual([right, wrong], [60, 0])
})

test('ids are unique over requests, connections and workers, with the right length', async (t) => {
  for (const more of [{}, { workers: 2 }, { setupClient() {} },
    { requests: [{ setupRequest: (request) => request }] }]) {
    const server = await httpServer(t)
    const result = await carronade({
      url: `${server.url}/[<id>]`, method: 'POST', body: '{"id":"[<id>]"}', idReplacement: true,
      connections: 4, amount: 40, ...more
    })
    assert.strictEqual(result['2xx'], 40)
    const ids = server.seen.map(({ url, body }) => {
      const id = JSON.parse(body).id
      assert.match(id, /^[\w-]{22}-\d{10}$/)
      assert.strictEqual(url, `/${id}`)
      return id
    })
    assert.strictEqual(new Set(ids).size, 40)
  }
})

test('placeholders of a template are filled in for each request', async (t) => {
  const server = await httpServer(t)
  const opts = { url: `${server.url}/{{counter}}?r={{random 5 5}}`, connections: 1, amount: 3 }
  await carronade({ ...opts, template: true })
  assert.deepStrictEqual(
    server.seen.map(({ url }) => url.replace(/\d+/, 'N')), Array(3).fill('/N?r=5'))
  assert.strictEqual(new Set(server.seen.map(({ url }) => url)).size, 3)
  await assert.rejects(Promise.resolve(carronade({ ...opts, template: true, setupClient() {} })),
    { message: /^template fills in requests that no callback makes/ })
})

test('a form is sent as multipart, with POST', async (t) => {
  for (const more of [{}, { setupClient() {} }]) {
    const server = await httpServer(t)
    await carronade({
      url: server.url, connections: 1, amount: 1, form: { field: { type: 'text', value: 'v' } },
      ...more
    })
    const { method, headers, body } = server.seen[0]
    assert.strictEqual(method, 'POST')
    assert.match(headers['content-type'], /^multipart\/form-data; boundary=/)
    assert.match(body, /name="field"\r\n\r\nv\r\n--/)
  }
})

test('the archive’s requests to this origin are sent, whatever method and body say', async (t) => {
  for (const more of [{}, { setupClient() {} }]) {
    const server = await httpServer(t)
    const entry = (origin, method, path, text) => ({ request: {
      method,
      url: `${origin}${path}`,
      headers: [{ name: ':method', value: method }, { name: 'X-Har', value: 'h' }],
      postData: text && { text }
    } })
    await carronade({
      url: `${server.url}/unused`, connections: 1, amount: 3, method: 'PUT', body: 'unused',
      headers: { 'X-Har': 'run', 'X-Run': 'r' },
      har: { log: { entries: [entry(server.url, 'GET', '/one?a=b'),
        entry('http://example.com', 'GET', '/other'),
        entry(server.url, 'POST', '/two', 'text')] } },
      ...more
    })
    assert.deepStrictEqual(lines(server), ['GET /one?a=b', 'POST /two', 'GET /one?a=b'])
    assert.deepStrictEqual(server.seen.map(({ body }) => body), ['', 'text', ''])
    assert.ok(server.seen.every(({ headers }) =>
      headers['x-har'] === 'h' && headers['x-run'] === 'r'))
  }
})

test('credentials of the URL become Basic authorization', async (t) => {
  for (const more of [{}, { setupClient() {} }]) {
    const server = await httpServer(t)
    await carronade({
      url: `http://foo:b%40r@localhost:${server.port}/p`, connections: 1, amount: 1, ...more
    })
    const { authorization, host } = server.seen[0].headers
    assert.strictEqual(authorization, `Basic ${Buffer.from('foo:b@r').toString('base64')}`)
    assert.strictEqual(host, `localhost:${server.port}`)
  }
})

test('a URL without a scheme is http', async (t) => {
  const server = await httpServer(t)
  const url = `localhost:${server.port}`
  const result = await carronade({ url, connections: 1, amount: 1 })
  assert.strictEqual(result['2xx'], 1)
  assert.strictEqual(result.url, `http://${url}`)
})

test('an exception in a callback is an uncaught exception of the process', () => {
  for (const [request, text] of [
    ["{ onResponse() { throw new Error('of the user') } }", /Error: of the user/],
    ["{ setupRequest(r) { if (!globalThis.n) throw new Error('2nd'); n--; return r } }", /: 2nd/],
    ['{ setupRequest(r) { return n-- > 0 && r } }', /: First setupRequest\(\) failed did not/]
  ]) {
    const script = `
      globalThis.n = 1
      const server = require('http').createServer((q, r) => r.end()).listen(0, () => {
        require(${JSON.stringify(require.resolve('..'))})({
          url: 'http://localhost:' + server.address().port, connections: 1, amount: 2,
          requests: [${request}]
        })
      })`
    const child = spawnSync(process.execPath, ['-e', script], { timeout: 20000 })
    assert.strictEqual(child.status, 1)
    assert.match(String(child.stderr), text)
  }
})
