'use strict'

const test = require('node:test')
const assert = require('node:assert')
const { deepClone } = require('../lib/deep_clone')
const { RequestList } = require('../lib/request_list')
const { takesParameter } = require('../lib/wants')

const target = { host: 'h', authorization: '' }
const defaults = { method: 'GET', path: '/', headers: { common: '1' }, body: undefined }

function listOf(requests, more = {}) {
  return new RequestList({ defaults, target, requests, ids: false, ...more })
}
const line = (list) => String(list.currentBytes).split(' HTTP')[0]

test('requests come in turn, each with what the run has', () => {
  const list = listOf([{ path: '/a', headers: { own: '2' } }, { method: 'PUT', path: '/b' }])
  assert.match(String(list.currentBytes), /^GET \/a .*common: 1\r\nown: 2\r\n\r\n$/s)
  const lines = []
  for (let i = 0; i < 4; ++i) {
    lines.push(line(list))
    list.next()
  }
  assert.deepStrictEqual(lines, ['GET /a', 'PUT /b', 'GET /a', 'PUT /b'])
})

test('setupRequest runs for the first one at once, for each later one in its turn', () => {
  const calls = []
  const setup = (name) => (request, context) => {
    context.calls = (context.calls || 0) + 1
    calls.push(`${name}${context.calls}`)
    request.headers.seen = String(context.calls)
    return { ...request, path: `/${name}` }
  }
  const list = listOf([{ setupRequest: setup('a') }, { setupRequest: setup('b') }])
  assert.deepStrictEqual(calls, ['a1'])
  for (let i = 0; i < 3; ++i) list.next()
  assert.deepStrictEqual(calls, ['a1', 'b2', 'a1', 'b2'])
  assert.strictEqual(line(list), 'GET /b')
  // What one call adds to the headers does not stay.
  assert.match(String(list.currentBytes), /common: 1\r\nseen: 2\r\n\r\n$/)
})

test('the context begins as a copy of initialContext, on each round of the list', () => {
  const initialContext = { user: { name: 'a', seen: [] } }
  const contexts = []
  const setupRequest = (request, context) => {
    contexts.push(context)
    context.user.seen.push(contexts.length)
    return request
  }
  const list = listOf([{ setupRequest }, { setupRequest }], { initialContext })
  for (let i = 0; i < 3; ++i) list.next()
  assert.deepStrictEqual(
    contexts.map((context) => context.user.seen), [[1, 2], [1, 2], [3, 4], [3, 4]])
  assert.deepStrictEqual(initialContext, { user: { name: 'a', seen: [] } })
})

test('nothing from setupRequest begins the list again', () => {
  const list = listOf([{ path: '/a' }, { path: '/b' }, { setupRequest: () => false }])
  list.context.kept = true
  const steps = []
  for (let i = 0; i < 5; ++i) {
    list.next()
    steps.push(`${line(list)} ${list.resetted} ${Boolean(list.context.kept)}`)
  }
  assert.deepStrictEqual(steps, ['GET /b false true', 'GET /a true false', 'GET /b false false',
    'GET /a true false', 'GET /b false false'])
})

test('nothing for the first request is an error', () => {
  const text = /^Error: First setupRequest\(\) failed did not returned valid request. Stopping$/
  assert.throws(() => listOf([{ setupRequest: () => null }]), text)
  let good = 1
  const list = listOf([{ setupRequest: (request) => good-- > 0 && request }])
  assert.throws(() => list.next(), text)
})

test('setters change the request that the list is at, for good', () => {
  const list = listOf([{ path: '/a', body: 'x' }, { path: '/b' }])
  list.setHeadersAndBody({ h: '1' }, 'new')
  assert.match(String(list.currentBytes), /^GET \/a .*common: 1\r\nh: 1\r\n.*\r\n\r\nnew$/s)
  list.setBody(null)
  list.setHeaders(null)
  assert.match(String(list.currentBytes), /keep-alive\r\ncommon: 1\r\n\r\n$/)
  list.next()
  assert.strictEqual(line(list), 'GET /b')
  list.setRequest({ method: 'POST', path: '/c' })
  list.next()
  list.next()
  assert.strictEqual(line(list), 'POST /c')
  list.setRequests([{ path: '/1' }, { path: '/2' }])
  assert.strictEqual(line(list), 'GET /1')
})

test('one connection’s requests are not another’s', () => {
  const requests = [{ path: '/a', state: { n: 0 }, setupRequest(request) {
    request.state.n += 1
    return { ...request, path: `/${request.state.n}` }
  } }]
  const [one, other] = [listOf(requests), listOf(requests)]
  one.next()
  assert.deepStrictEqual([line(one), line(other)], ['GET /2', 'GET /1'])
  assert.strictEqual(requests[0].state.n, 0)
})

test('a clone shares nothing that can change', () => {
  class Own { constructor() { this.list = [1] } }
  const value = { a: [{ b: 1 }], bytes: Buffer.from('x'), date: new Date(5), own: new Own(),
    map: new Map([['k', { v: 1 }]]), set: new Set([1]), call() {}, nothing: null }
  value.self = value
  const copy = deepClone(value)
  assert.deepStrictEqual(copy, value)
  assert.ok(copy.own instanceof Own && copy.own !== value.own && copy.own.list !== value.own.list)
  assert.ok(copy.self === copy && copy.a[0] !== value.a[0] && copy.bytes !== value.bytes)
  assert.ok(copy.map.get('k') !== value.map.get('k') && copy.call === value.call)
})

test('only a plain list of parameters says what a callback does not look at', () => {
  const no = [(status, body) => body, function (status) {}, (a, b, c) => a, function named(a) {},
    { method(a, b) {} }.method, status => status]
  const yes = [(a, b, c, d) => d, (...all) => all, (a, b, c, d = {}) => d, function () {
    return arguments[3]
  }, ((a, b, c, d) => d).bind(null), (a, { b }) => b]
  assert.deepStrictEqual(no.map((callback) => takesParameter(callback, 4)), no.map(() => false))
  assert.deepStrictEqual(yes.map((callback) => takesParameter(callback, 4)), yes.map(() => true))
  assert.strictEqual(takesParameter((status, body) => body, 2), true)
})
