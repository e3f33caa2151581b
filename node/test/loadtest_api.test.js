'use strict'

// carronade/loadtest: options, callbacks and result, against a server in this process.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const loadtest = require('../loadtest')
const { httpServer } = require('./support/servers')

const { loadTest } = loadtest
const ROOT = path.join(__dirname, '..')
const FORM = 'application/x-www-form-urlencoded'

test('is there for import, for import of all and for require', async () => {
  const module = await import('../loadtest.mjs')
  assert.strictEqual(module.loadTest, loadTest)
  assert.strictEqual(module.default.loadTest, loadTest)
  assert.strictEqual(module.startServer, loadtest.startServer)
  assert.strictEqual(loadtest.default, loadtest)
  const manifest = require('../package.json')
  for (const file of Object.values(manifest.exports['./loadtest'])) {
    assert.ok(fs.existsSync(path.join(ROOT, file)), file)
  }
})

test('gives a result with every field, as a promise', async (t) => {
  const { url, seen } = await httpServer(t)
  const result = await loadTest({ url, maxRequests: 30, concurrency: 3, quiet: true })
  assert.strictEqual(seen.length, 30)
  assert.strictEqual(result.url, url)
  assert.strictEqual(result.cores, 1)
  assert.strictEqual(result.maxRequests, 30)
  assert.strictEqual(result.maxSeconds, 0)
  assert.strictEqual(result.concurrency, 3)
  assert.strictEqual(result.agent, 'none')
  assert.strictEqual(result.requestsPerSecond, undefined)
  assert.strictEqual(result.clients, 3)
  assert.strictEqual(result.totalRequests, 30)
  assert.strictEqual(result.totalErrors, 0)
  assert.deepStrictEqual(result.errorCodes, {})
  assert.strictEqual(result.elapsedSeconds, result.totalTimeSeconds)
  assert.ok(result.startTimeMs < result.stopTimeMs)
  assert.ok(Math.abs(Date.now() - result.stopTimeMs) < 60000)
  const counts = Object.entries(result.histogramMs)
  assert.strictEqual(counts.reduce((sum, [, count]) => sum + count, 0), 30)
  assert.ok(counts.every(([ms]) => Number(ms) >= Math.floor(result.minLatencyMs) - 1))
  const { percentiles, minLatencyMs, maxLatencyMs, meanLatencyMs } = result
  assert.deepStrictEqual(Object.keys(percentiles), ['50', '90', '95', '99'])
  const rising = [0, minLatencyMs, ...Object.values(percentiles), maxLatencyMs]
  rising.reduce((low, high) => {
    assert.ok(low <= high, `${rising}`)
    return high
  })
  assert.ok(!Number.isInteger(meanLatencyMs) && meanLatencyMs <= maxLatencyMs)
  assert.ok(Math.abs(result.accumulatedMs - 30 * meanLatencyMs) < 0.001)
  assert.strictEqual(result.rps, result.effectiveRps)
  assert.strictEqual(result.effectiveRps, Math.round(30 / result.elapsedSeconds))
})

test('takes a callback', async (t) => {
  const { url } = await httpServer(t)
  const result = await new Promise((resolve, reject) => {
    const returned = loadTest({ url, maxRequests: 5, quiet: true },
      (error, found) => error ? reject(error) : resolve(found))
    assert.strictEqual(returned, undefined)
  })
  assert.strictEqual(result.totalRequests, 5)
  const error = await new Promise((resolve) => loadTest({}, resolve))
  assert.match(error.message, /^Missing url/)
})

test('combine loses nothing', async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    setTimeout(() => response.writeHead(request.url === '/bad' ? 500 : 200).end(),
      request.url === '/bad' ? 40 : 0)
  })
  const fast = await loadTest({ url, maxRequests: 30, quiet: true })
  const slow = await loadTest({ url: `${url}/bad`, maxRequests: 10, quiet: true })
  const { 50: median } = fast.percentiles
  fast.combine(slow)
  assert.deepStrictEqual([fast.totalRequests, fast.totalErrors, fast.errorCodes],
    [40, 10, { 500: 10 }])
  assert.strictEqual(fast.maxRequests, 40)
  assert.ok(fast.percentiles[50] >= median && fast.percentiles[90] >= 39.9)
  assert.ok(!Number.isInteger(fast.percentiles[90]))
  assert.strictEqual(fast.stopTimeMs, slow.stopTimeMs)
})

test('never changes the options, nested ones neither', async (t) => {
  const { url, seen } = await httpServer(t)
  const options = {
    url,
    maxRequests: '4',
    method: 'post',
    rps: '500.5',
    headers: Object.freeze({ 'X-A': 'b' }),
    cookies: Object.freeze(['a=b', 'c=d']),
    body: Object.freeze({ nested: Object.freeze({ text: 'idx' }) }),
    contentType: 'application/json',
    indexParam: 'idx',
    quiet: true
  }
  const before = structuredClone(options)
  await loadTest(Object.freeze(options))
  await loadTest(options)
  assert.deepStrictEqual({ ...options }, before)
  assert.strictEqual(seen.length, 8)
  for (const { method, headers, body } of seen) {
    assert.strictEqual(method, 'POST')
    assert.strictEqual(headers['x-a'], 'b')
    assert.strictEqual(headers.cookie, 'a=b; c=d')
    assert.strictEqual(headers['content-type'], 'application/json')
    assert.match(body, /^\{"nested":\{"text":"\d+"\}\}$/)
  }
})

test('sends the headers as Node\'s client did', async (t) => {
  const { url, port, seen } = await httpServer(t)
  await loadTest({ url: `${url}/a?b=1#c`, maxRequests: 1, quiet: true })
  await loadTest({
    url, maxRequests: 1, agentKeepAlive: true, data: 'x', method: 'PUT', quiet: true
  })
  assert.strictEqual(seen[0].url, '/a?b=1')
  assert.deepStrictEqual(seen[0].rawHeaders, ['host', `localhost:${port}`, 'accept', '*/*',
    'user-agent', 'loadtest/8.2.1', 'Connection', 'close'])
  assert.deepStrictEqual(seen[1].rawHeaders, ['host', `localhost:${port}`, 'accept', '*/*',
    'user-agent', 'loadtest/8.2.1', 'Content-Type', 'text/plain', 'Connection', 'keep-alive',
    'Content-Length', '1'])
})

for (const [name, headers, wanted] of [
  ['an object', { 'X-A': 'b', 'x-n': 1, 'x-list': ['c', 'd'], none: undefined }, 'b 1 c, d'],
  ['a Map', new Map([['X-A', 'b'], ['x-n', '1']]), 'b 1 undefined'],
  ['an array of texts', ['X-A: b', 'x-n:1'], 'b 1 undefined'],
  ['an array of pairs', [['X-A', 'b'], ['x-n', '1']], 'b 1 undefined'],
  ['a text', 'X-A: b', 'b undefined undefined'],
  ['Headers', new Headers({ 'X-A': 'b' }), 'b undefined undefined']
]) {
  test(`headers as ${name}`, async (t) => {
    const { url, seen } = await httpServer(t)
    await loadTest({ url, maxRequests: 1, headers, quiet: true })
    const sent = seen[0].headers
    assert.strictEqual(`${sent['x-a']} ${sent['x-n']} ${sent['x-list']}`, wanted)
  })
}

test('a header of one\'s own takes the place of a default', async (t) => {
  const { url, seen } = await httpServer(t)
  await loadTest({
    url,
    maxRequests: 1,
    postBody: 'x',
    headers: { 'User-Agent': 'me', 'Content-Type': 'text/x', Host: 'h', 'content-length': '99' },
    quiet: true
  })
  const { headers, rawHeaders } = seen[0]
  assert.deepStrictEqual([headers['user-agent'], headers['content-type'], headers.host,
    headers['content-length']], ['me', 'text/x', 'h', '1'])
  assert.strictEqual(rawHeaders.filter((it) => /^content-type$/i.test(it)).length, 1)
})

for (const [name, options, type, body] of [
  ['text', { body: 'hello' }, 'text/plain', 'hello'],
  ['an object', { body: { a: [1, 'b'] } }, 'text/plain', '{"a":[1,"b"]}'],
  ['a form', { body: { a: 'b c', d: ['e', 'f'] }, contentType: FORM }, FORM, 'a=b%20c&d=e&d=f'],
  ['bytes', { body: Buffer.from('ä') }, 'text/plain', 'ä'],
  ['a function', { body: (id) => ({ id: id.replace(/[0-9a-f]/g, 'x') }) }, 'text/plain',
    '{"id":"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"}'],
  ['a function of text', { body: () => 'tëxt' }, 'text/plain', 'tëxt']
]) {
  test(`a body: ${name}`, async (t) => {
    const { url, seen } = await httpServer(t)
    const result = await loadTest({ url, maxRequests: 3, method: 'POST', ...options, quiet: true })
    assert.strictEqual(result.totalErrors, 0)
    for (const request of seen) {
      assert.strictEqual(request.body, body)
      assert.strictEqual(request.headers['content-type'], type)
    }
  })
}

test('bodies from files: text, ES module and CommonJS', async (t) => {
  const { url, seen } = await httpServer(t)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-loadtest-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  const write = (name, text) => {
    fs.writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const files = {
    postFile: write('a.txt', 'from a file'),
    putFile: write('b.mjs', 'export default (requestId) => ({ long: requestId.length })'),
    patchFile: write('c.cjs', 'module.exports = () => "common"')
  }
  for (const [key, file] of Object.entries(files)) {
    await loadTest({ url, maxRequests: 2, [key]: path.relative(process.cwd(), file), quiet: true })
  }
  assert.deepStrictEqual(seen.map(({ method, body }) => `${method} ${body}`), [
    'POST from a file', 'POST from a file', 'PUT {"long":36}', 'PUT {"long":36}',
    'PATCH common', 'PATCH common'
  ])
  await assert.rejects(loadTest({ url, postFile: write('d.mjs', 'export const a = 1') }),
    /exports no function/)
  await assert.rejects(loadTest({ url, postFile: path.join(folder, 'none.txt') }), /ENOENT/)
})

test('the index is in path and body of a request, and in no other one', async (t) => {
  const { url, seen } = await httpServer(t)
  await loadTest({
    url: `${url}/x{id}?a={id}`,
    maxRequests: 20,
    concurrency: 4,
    postBody: { id: 'my_{id}' },
    indexParam: '\\{id\\}',
    quiet: true
  })
  const numbers = seen.map(({ url: sent, body }) => {
    const [, first, second] = /^\/x(\d+)\?a=(\d+)$/.exec(sent)
    assert.strictEqual(first, second)
    assert.strictEqual(body, `{"id":"my_${first}"}`)
    return Number(first)
  })
  assert.strictEqual(new Set(numbers).size, 20)
  await loadTest({ url: `${url}/{id}`, maxRequests: 1, indexParam: /\{id\}/, quiet: true })
  // One count for the process.
  assert.ok(Number(seen.at(-1).url.slice(1)) > Math.max(...numbers))
})

test('a literal is replaced once, a callback gives what takes its place', async (t) => {
  const { url, seen } = await httpServer(t)
  const index = { indexParamLiteral: 'a.', indexParamCallback: () => '$&ü' }
  await loadTest({ url: `${url}/xa.a.`, maxRequests: 1, ...index, quiet: true })
  assert.strictEqual(seen[0].url, '/x$&%C3%BCa.')
})

test('keepAlive keeps connections; without it each request has its own', async (t) => {
  const facts = await httpServer(t)
  const { url } = facts
  await loadTest({ url, maxRequests: 50, concurrency: 2, agentKeepAlive: true, quiet: true })
  assert.strictEqual(facts.connections, 2)
  const closed = await loadTest({ url, maxRequests: 50, concurrency: 2, quiet: true })
  assert.strictEqual(facts.connections, 52)
  assert.strictEqual(closed.agent, 'none')
  const made = await loadTest({
    url, maxRequests: 50, concurrency: 2, method: 'PUT', body: () => 'x', quiet: true
  })
  assert.strictEqual(facts.connections, 102)
  assert.strictEqual(made.totalErrors, 0)
})

test('a rate is kept, with fractions, and ends at maxSeconds', async (t) => {
  const { url, seen } = await httpServer(t)
  const result = await loadTest({ url, requestsPerSecond: 50, maxRequests: 20, quiet: true })
  assert.strictEqual(seen.length, 20)
  assert.ok(result.elapsedSeconds >= 19 / 50, `${result.elapsedSeconds}`)
  assert.strictEqual(result.requestsPerSecond, 50)
  assert.ok(result.clients >= 1)
  const slow = await loadTest({ url, rps: '2.5', maxSeconds: 0.5, keepalive: true, quiet: true })
  assert.strictEqual(slow.totalRequests + slow.carronade.unsent + slow.carronade.inFlight, 2)
  assert.ok(slow.elapsedSeconds < 30)
})

test('several cores share the requests', async (t) => {
  const facts = await httpServer(t)
  const result = await loadTest({
    url: facts.url, maxRequests: 40, concurrency: 2, cores: 2, keepalive: true, quiet: true
  })
  assert.deepStrictEqual([result.cores, result.clients, result.totalRequests], [2, 4, 40])
  assert.strictEqual(facts.connections, 4)
})

test('says what is wrong with the options', async () => {
  const url = 'http://127.0.0.1:9'
  for (const [options, text] of [
    [undefined, /^Missing url/],
    [{}, /^Missing url/],
    [{ url: 'localhost' }, /^Invalid URL localhost: it must begin with http:\/\//],
    [{ url: 'ftp://a' }, /^Invalid URL ftp:\/\/a/],
    [{ url: 'http://a:99999' }, /^Invalid URL http:\/\/a:99999/],
    [{ url, method: 'FOO' }, /^Invalid method FOO/],
    [{ url, method: 'Post' }, /^Invalid method Post/],
    [{ url, concurrency: 'many' }, /^Invalid concurrency many/],
    [{ url, maxRequests: 1.5 }, /^Invalid maxRequests 1.5: a whole number/],
    [{ url, timeout: -1 }, /^Invalid timeout -1/],
    [{ url, headers: 7 }, /^Invalid headers 7/],
    [{ url, headers: { 'a b': 'c' } }, /^Invalid header name "a b"/],
    [{ url, headers: { a: 'b\r\nc' } }, /line break/],
    [{ url, headers: { a: {} } }, /^value of header a is no text: \[object Object\]/],
    [{ url, headers: { a: () => 1 } }, /^value of header a is no text/],
    [{ url, cookies: 7 }, /^Invalid cookies 7/],
    [{ url, statusCallback: 'x' }, /^Invalid statusCallback/],
    [{ url, indexParam: '(' }, /^Invalid indexParam/],
    [{ url, requestGenerator: './none.js' }, /cannot find module \.\/none\.js/],
    [{ url, cert: 'x' }, /^cert and key go together/],
    [{ url, secureProtocol: 'x' }, /^Invalid secureProtocol x/],
    [{ url, proxy: 'https://a' }, /^Invalid proxy https:\/\/a: only http/]
  ]) {
    await assert.rejects(loadTest(options), (error) => {
      assert.match(error.message, text)
      assert.ok(!error.message.includes('\n'))
      return true
    })
  }
})
