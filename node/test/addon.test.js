'use strict'

// The binding itself, without the JavaScript around it: what lib/native.js gives.

const test = require('node:test')
const assert = require('node:assert')
const http = require('http')
const net = require('net')
const binding = require('../lib/native')
const { listen, run } = require('./support/addon_run')

const hello = () => http.createServer((request, response) => response.end('hello'))
const spec = (url, more = {}) => ({ targets: [{ url }], amount: 40, connections: 4, ...more })

for (const inLoop of [false, true]) {
  const place = inLoop ? "in Node's loop" : 'on threads'

  test(`an amount of requests ${place}`, async (t) => {
    const url = await listen(t, hello())
    const result = await run(spec(url), {}, inLoop)
    assert.strictEqual(result.requests.sent, 40)
    assert.strictEqual(result['2xx'], 40)
    assert.strictEqual(result.errors, 0)
    const progress = result.engine.progress()
    assert.strictEqual(progress.sent, 40)
    assert.strictEqual(progress.answered, 40)
    assert.ok(progress.bytes > 40 * 5)
    assert.ok(progress.elapsedMs > 0)
  })

  test(`stop() before and during a run ${place}`, async (t) => {
    const url = await listen(t, hello())
    const forever = spec(url, { amount: undefined, durationMs: 3600e3 })
    const engine = new binding.Engine(forever, {})
    engine.stop()
    const ended = new Promise((resolve) => engine.run(inLoop, resolve))
    const empty = JSON.parse(binding.resultDocument([await ended], { urls: [url] }))
    assert.strictEqual(empty.requests.sent, 0)

    const result = await run(forever, {}, inLoop, (running) => {
      const timer = setInterval(() => {
        if (running.progress().answered < 10) return
        clearInterval(timer)
        running.stop()
        running.stop()
      }, 5)
    })
    assert.ok(result['2xx'] >= 10)
    result.engine.stop() // after the end: nothing
  })

  test(`what is sent ${place}`, async (t) => {
    const seen = []
    const url = await listen(t, http.createServer((request, response) => {
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        seen.push([request.method, request.url, request.headers['x-a'], Buffer.concat(chunks)])
        response.end()
      })
    }))
    const target = {
      url, method: 'PUT', path: '/p?q=1', headers: [['X-A', 'b']], body: Buffer.from([0, 255])
    }
    await run({ targets: [target], amount: 1, connections: 1 }, {}, inLoop)
    assert.deepStrictEqual(seen.pop(), ['PUT', '/p?q=1', 'b', Buffer.from([0, 255])])

    const sequence = [{ path: '/1' }, { path: '/2', method: 'POST', body: 'é' }]
    await run({ targets: [{ url, sequence }], amount: 3, connections: 1 }, {}, inLoop)
    assert.deepStrictEqual(seen.map(([method, place]) => `${method} ${place}`),
      ['GET /1', 'POST /2', 'GET /1'])
    assert.strictEqual(seen[1][3].toString(), 'é')
  })
}

test('a spec that cannot be run is thrown as one line', () => {
  const url = 'http://127.0.0.1:1/'
  const cases = [
    [{ amount: 1 }, /no target/],
    [{ targets: [{ url: 'ftp://x' }], amount: 1 }, /spec\.targets\[0\]\.url: .*ftp/],
    [spec(url, { connections: 0 }), /connections can not be less than 1/],
    [spec(url, { connections: 1.5 }), /spec\.connections must be a whole number/],
    [spec(url, { pipelining: '3' }), /spec\.pipelining must be a number/],
    [spec(url, { timeoutMs: NaN }), /spec\.timeoutMs must be a number/],
    [spec(url, { tls: 1 }), /spec\.tls must be an object/],
    [spec(url, { dataMode: 'x' }), /spec\.dataMode must be sequence, shuffle or once/],
    [{ targets: [{ url, headers: [['a']] }], amount: 1 }, /headers\[0\] must be \[name, value\]/],
    [{ targets: [{ url, sequence: [1] }], amount: 1 }, /sequence\[0\] must be an object/]
  ]
  for (const [bad, text] of cases) {
    assert.throws(() => new binding.Engine(bad, {}), (error) => {
      assert.match(error.message, text)
      assert.ok(!error.message.includes('\n'))
      return true
    })
  }
  assert.throws(() => new binding.Engine(spec(url)), /must be objects/)
  assert.throws(() => new binding.Engine(spec(url), { next: 1 }), /hooks\.next must be a function/)
  assert.throws(() => new binding.Engine(spec(url), { bodies: 'text' }), /'buffer' or 'string'/)
  assert.throws(() => new binding.Engine(spec(url), { heads: 1 }), /hooks\.heads must be true or/)
  assert.throws(() => new binding.Engine(spec(url, { workers: 2 }), { next() {} }), /workers must/)
  const engine = new binding.Engine(spec(url), { loss() {} })
  assert.throws(() => engine.run(false, () => {}), /Node's loop/)
  assert.throws(() => engine.run(true), /a function/)
})

test('warnings are there before the start', () => {
  const targets = Array.from({ length: 3 }, () => ({ url: 'http://127.0.0.1:1/' }))
  const engine = new binding.Engine({ targets, connections: 1, amount: 1 }, {})
  assert.strictEqual(engine.warnings.length, 1)
  assert.match(engine.warnings[0], /3 targets for 1 connection/)
})

test('response() hears every answer, with head and body as asked', async (t) => {
  const url = await listen(t, http.createServer((request, response) => {
    response.writeHead(201, { 'X-Name': Buffer.from('é', 'latin1').toString('latin1') })
    response.write('häl')
    response.addTrailers({ 'X-End': '1' })
    response.end('lo')
  }))
  for (const [bodies, expected] of [['buffer', Buffer.from('hällo')], ['string', 'hällo']]) {
    const heard = []
    const response = (...values) => { heard.push(values) }
    await run(spec(url), { response, heads: true, bodies }, true)
    assert.strictEqual(heard.length, 40)
    const [connection, status, bytes, latency, head, body, trailers] = heard[0]
    assert.ok(connection >= 0 && connection < 4)
    assert.strictEqual(status, 201)
    assert.ok(bytes > head.length)
    assert.ok(latency > 0 && latency < 10000)
    assert.match(head, /^HTTP\/1\.1 201 Created\r\n/)
    assert.match(head, /\r\nX-Name: é\r\n/)
    assert.deepStrictEqual(body, expected)
    assert.strictEqual(typeof trailers, 'string')
  }
  const heard = []
  await run(spec(url), { response: (...values) => heard.push(values) }, true)
  assert.strictEqual(heard[0].length, 4)
  assert.deepStrictEqual([...new Set(heard.map((values) => values[0]))].sort(), [0, 1, 2, 3])
})

test('trailers', async (t) => {
  const url = await listen(t, net.createServer((socket) => socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
      '2\r\nab\r\n0\r\nX-End: 7\r\n\r\n')
  })))
  const heard = []
  const response = (...values) => { heard.push(values) }
  await run(spec(url, { amount: 1, connections: 1 }), { response, heads: true }, true)
  assert.strictEqual(heard[0][5], undefined)
  assert.match(heard[0][6], /^X-End: 7\r\n/)
})

test('false from response() counts a mismatch, anything else does not', async (t) => {
  const url = await listen(t, hello())
  const answers = [false, undefined, true, 0, null, false]
  const response = () => answers.shift()
  const result = await run(spec(url, { amount: 6, connections: 1 }), { response }, true)
  assert.strictEqual(result.mismatches, 2)
  assert.strictEqual(result['2xx'], 6)
})

test('next() makes the requests: strings, Buffers, long ones, and the end', async (t) => {
  const seen = []
  const url = await listen(t, http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => { body += text }).on('end', () => {
      seen.push(request.url + body)
      response.end()
    })
  }))
  const long = 'ö'.repeat(5000)
  const post = (text) => 'POST /p HTTP/1.1\r\nHost: x\r\n' +
    `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  const requests = ['GET /1 HTTP/1.1\r\nHost: x\r\n\r\n',
    Buffer.from('GET /2 HTTP/1.1\r\nHost: x\r\n\r\n'), post(long), post('é'), null]
  const connections = []
  const next = (connection) => { connections.push(connection); return requests.shift() }
  const result = await run({ targets: [{ url }], connections: 1, durationMs: 60e3 }, { next }, true)
  assert.deepStrictEqual(seen, ['/1', '/2', '/p' + long, '/pé'])
  assert.ok(connections.every((connection) => connection === 0))
  assert.strictEqual(result.requests.sent, 4)
})

test('a request that says Connection: close is the last on its socket', async (t) => {
  let sockets = 0
  const server = hello().on('connection', () => { ++sockets })
  const url = await listen(t, server)
  const next = () => 'GET / HTTP/1.1\r\nHost: x\r\nconnection: Close\r\n\r\n'
  const result = await run(spec(url, { amount: 6, connections: 2 }), { next }, true)
  assert.strictEqual(result['2xx'], 6)
  assert.strictEqual(result.errors, 0)
  assert.ok(sockets >= 6)
})

test('loss() hears what got no answer', async (t) => {
  const url = await listen(t, net.createServer((socket) => {
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'))
  }))
  const heard = []
  const loss = (...values) => { heard.push(values) }
  const result = await run(spec(url, { amount: 3, connections: 1 }), { loss }, true)
  assert.strictEqual(result.errors, 3)
  assert.strictEqual(heard.length, 3)
  for (const [connection, kind, text, requests] of heard) {
    assert.strictEqual(connection, 0)
    assert.strictEqual(kind, 'truncated_response')
    assert.ok(text.length > 0)
    assert.strictEqual(requests, 1)
  }
  const refused = []
  await run({ targets: [{ url: 'http://127.0.0.1:1/' }], durationMs: 100, connections: 1 },
    { loss: (...values) => refused.push(values) }, true)
  assert.deepStrictEqual(refused[0].slice(0, 2), [0, 'connect_refused'])
  assert.strictEqual(refused[0][3], 0)
})

test('error() hears the growth of errors on threads', async () => {
  const heard = []
  const error = (...values) => { heard.push(values) }
  const targets = [{ url: 'http://127.0.0.1:1/' }]
  const result = await run({ targets, durationMs: 350, connections: 2 }, { error })
  assert.ok(heard.length > 0)
  const total = heard.reduce((sum, [, , count]) => sum + count, 0)
  assert.strictEqual(total, result.errors)
  assert.strictEqual(heard[0][0], 'connect_refused')
  assert.match(heard[0][1], /127\.0\.0\.1:1/)
})

test('destroy() ends one connection and is no error', async (t) => {
  const url = await listen(t, hello())
  const heard = []
  const losses = []
  const hooks = {
    response(connection) {
      heard.push(connection)
      if (connection === 1) engine.destroy(1)
    },
    loss: (...values) => losses.push(values)
  }
  const engine = new binding.Engine(spec(url, { connections: 2, amount: 30 }), hooks)
  const state = await new Promise((resolve) => engine.run(true, resolve))
  const result = JSON.parse(binding.resultDocument([state], { urls: [url] }))
  assert.strictEqual(heard.filter((connection) => connection === 1).length, 1)
  assert.strictEqual(result.errors, 0)
  assert.deepStrictEqual(losses, [])
})

test('stop() from inside a hook', async (t) => {
  const url = await listen(t, hello())
  let heard = 0
  const hooks = { response() { if (++heard === 5) engine.stop() } }
  const engine = new binding.Engine(spec(url, { amount: 1e6, connections: 1 }), hooks)
  const state = await new Promise((resolve) => engine.run(true, resolve))
  assert.ok(JSON.parse(binding.resultDocument([state], {}))['2xx'] < 1000)
  assert.throws(() => engine.run(true, () => {}), /runs once/)
})

test('a name that cannot be resolved ends the run', async () => {
  for (const inLoop of [false, true]) {
    const targets = [{ url: 'http://nobody.invalid/' }]
    const limits = { durationMs: 60e3, connections: 1, timeoutMs: 2000 }
    const result = await run({ targets, ...limits }, {}, inLoop)
    assert.strictEqual(result.requests.sent, 0)
    assert.ok(result.errors >= 1)
  }
})

test('states: merged, documented, as histograms; what is none is refused', async (t) => {
  const url = await listen(t, hello())
  const [one, two] = await Promise.all([run(spec(url)), run(spec(url))])
  const merged = binding.mergeStates([one.state, two.state])
  assert.ok(Buffer.isBuffer(merged))
  for (const states of [[merged], [one.state, two.state]]) {
    const result = JSON.parse(binding.resultDocument(states, { urls: [url], title: 'both' }))
    assert.strictEqual(result.title, 'both')
    assert.strictEqual(result.requests.sent, 80)
    assert.strictEqual(result.latency.totalCount, 80)
  }
  const hdr = binding.hdr([one.state])
  for (const key of ['latencies', 'requests', 'throughput']) assert.match(hdr[key], /^HISTFAAA/)
  assert.throws(() => binding.resultDocument([], {}), /at least one/)
  assert.throws(() => binding.mergeStates([Buffer.from('x')]), /states\[0\]/)
  assert.throws(() => binding.hdr([one.state.subarray(0, 100)]), /states\[0\]/)
})

test('ten runs at once, both ways', async (t) => {
  const url = await listen(t, hello())
  const runs = Array.from({ length: 10 }, (_, i) => run(spec(url), {}, i % 2 === 0))
  for (const result of await Promise.all(runs)) assert.strictEqual(result['2xx'], 40)
})
