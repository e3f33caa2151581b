'use strict'

// requestGenerator: requests that end in other ways than with an answer, and rates beyond what
// Node can do. Nothing of it may end the process or leave a test without an end.

const assert = require('assert')
const http = require('http')
const { test } = require('node:test')
const { loadTest } = require('../loadtest')
const { closedPort, httpServer, rawServer } = require('./support/servers')

const plain = (params, options, client, callback) => client(options, callback)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

test('a rate beyond what is possible: answers are read, and it ends in time', async (t) => {
  const { url } = await httpServer(t)
  const started = performance.now()
  const result = await loadTest({
    url,
    maxSeconds: 0.5,
    requestsPerSecond: 100000,
    agentKeepAlive: true,
    requestGenerator: plain,
    quiet: true
  })
  assert.ok(result.totalRequests > 20, `${result.totalRequests}`)
  assert.ok(result.elapsedSeconds < 1, `${result.elapsedSeconds}`)
  assert.ok(performance.now() - started < 3000)
  // From when they were due: what is behind has waited.
  assert.ok(result.maxLatencyMs > 20, `${result.maxLatencyMs}`)
})

test('a request that was made and not given back ends the test alone', async (t) => {
  const { url } = await httpServer(t)
  const ownAgent = new http.Agent()
  t.after(() => ownAgent.destroy())
  for (const agent of [undefined, ownAgent]) {
    for (const [requestGenerator, text] of [
      [(params, options, client, callback) => {
        client(agent ? { ...options, agent } : options, callback).end()
      }, /must return the request/],
      [(params, options, client, callback) => {
        client(agent ? { ...options, agent } : options, callback).write('x')
        throw new Error('mine')
      }, /^Error: mine$/],
      // With Node's own function: the agent sees it.
      [(params, options, client, callback) => { http.request(options, callback).end() },
        /must return the request/]
    ]) {
      await assert.rejects(loadTest({ url, maxRequests: 2, requestGenerator, quiet: true }), text)
    }
  }
  // An error that nobody listens to would come now.
  await sleep(50)
})

test('a request that has failed before it is given back counts', async (t) => {
  const url = `http://127.0.0.1:${await closedPort()}`
  for (const agent of [{}, { agent: new http.Agent() }, { agent: false }]) {
    const result = await loadTest({
      url,
      maxRequests: 3,
      requestGenerator: async (params, options, client, callback) => {
        const request = client({ ...options, ...agent }, callback)
        await sleep(30)
        return request
      },
      quiet: true
    })
    assert.deepStrictEqual([result.totalRequests, result.errorCodes], [3, { '-1': 3 }])
    assert.strictEqual(result.carronade.errors[0].kind, 'connect_refused')
  }
})

test('a change of the protocol is an error at once', async (t) => {
  const { url } = await rawServer(t, (socket) => socket.once('data', () => socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')))
  const result = await loadTest({ url, maxRequests: 3, requestGenerator: plain, quiet: true })
  assert.deepStrictEqual([result.totalRequests, result.errorCodes], [3, { '-1': 3 }])
  assert.match(result.carronade.errors[0].text, /changed the protocol: 101/)
})

test('an answer that the generator has read itself counts', async (t) => {
  const { url } = await httpServer(t)
  const result = await loadTest({
    url,
    maxRequests: 3,
    requestGenerator: (params, options, client, callback) => client(options, (response) => {
      response.resume().on('end', () => setTimeout(() => callback(response), 10))
    }),
    quiet: true
  })
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [3, 0])
})

test('a request that is destroyed, at once or at its answer, counts as an error', async (t) => {
  const { url } = await httpServer(t, (request, response) => response.write('a part'))
  for (const requestGenerator of [
    (params, options, client) => {
      const request = client(options, () => request.destroy())
      return request
    },
    (params, options, client, callback) => client(options, callback).destroy(),
    (params, options, client, callback) => client(options, (response) => {
      callback(response)
      response.destroy()
    })
  ]) {
    const result = await loadTest({ url, maxRequests: 3, requestGenerator, quiet: true })
    assert.deepStrictEqual([result.totalRequests, result.errorCodes], [3, { '-1': 3 }])
  }
})

test('requests that fail at once leave Node its turns: maxSeconds ends the test', async (t) => {
  const { url } = await httpServer(t)
  const result = await loadTest({
    url,
    maxSeconds: 0.2,
    requestGenerator: (params, options, client, callback) => client(options, callback).destroy(),
    quiet: true
  })
  assert.ok(result.totalErrors > 0)
  assert.ok(result.elapsedSeconds < 2, `${result.elapsedSeconds}`)
})

test('a generator may go on to another request before it calls back', async (t) => {
  const { url, seen } = await httpServer(t)
  const result = await loadTest({
    url,
    maxRequests: 2,
    concurrency: 1,
    requestGenerator: (params, options, client, callback) =>
      client({ ...options, path: '/first' }, (response) => {
        response.resume()
        setTimeout(() => client({ ...options, path: '/second' }, callback).end(), 50)
      }),
    quiet: true
  })
  assert.deepStrictEqual([result.totalRequests, result.totalErrors], [2, 0])
  assert.deepStrictEqual(seen.map((request) => request.url),
    ['/first', '/second', '/first', '/second'])
})

test('a generator that never calls back does not hold the test', async (t) => {
  const { url } = await httpServer(t)
  const result = await loadTest({
    url,
    maxRequests: 2,
    requestGenerator: (params, options, client) =>
      client(options, (response) => response.resume()),
    quiet: true
  })
  assert.strictEqual(result.totalErrors, 2)
  assert.match(result.carronade.errors[0].text, /did not call back/)
})

test('an agent of the user\'s that several tests have', async (t) => {
  const facts = await httpServer(t)
  const agent = new http.Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  const options = {
    url: facts.url,
    maxRequests: 20,
    concurrency: 2,
    requestGenerator: (params, own, client, callback) => client({ ...own, agent }, callback),
    quiet: true
  }
  for (let i = 0; i < 2; ++i) {
    const result = await loadTest(options)
    assert.strictEqual(result.totalErrors, 0)
    const codes = result.carronade.verdict.reasons.map(({ code }) => code)
    assert.ok(!codes.includes('connections_short'), `${i}: ${codes}`)
    const { bytes } = details(result)
    assert.ok(bytes.sent > 20 * 50 && bytes.sent < 20 * 300, `${i}: ${bytes.sent}`)
    assert.ok(bytes.received > 20 * 50 && bytes.received < 20 * 400, `${i}: ${bytes.received}`)
  }
  const rated = await loadTest({ ...options, requestsPerSecond: 200 })
  assert.ok(rated.clients >= 1)
})

test('a rate has no number of clients to fall short of', async (t) => {
  const { url } = await httpServer(t)
  const result = await loadTest({
    url, maxRequests: 10, requestsPerSecond: 100, requestGenerator: plain, quiet: true
  })
  const codes = result.carronade.verdict.reasons.map(({ code }) => code)
  assert.ok(!codes.includes('connections_short'), `${codes}`)
})

function details(result) {
  const binding = require('../lib/native')
  return JSON.parse(binding.resultDocument([result.carronade.state], { urls: [] })).carronade
}
