'use strict'

const test = require('node:test')
const assert = require('node:assert')
const { requestBytes, headerPairs } = require('../lib/request_bytes')
const { idMaker } = require('../lib/request_ids')

const target = { host: 'localhost:3000', authorization: '' }
const request = (values) => ({ method: 'GET', path: '/', headers: {}, ...values })
const text = (values, where = target, id) => String(requestBytes(request(values), where, id))

test('the lines come in autocannon’s order', () => {
  assert.strictEqual(
    text({ method: 'POST', headers: { header: 'modified' }, body: 'modified' }),
    'POST / HTTP/1.1\r\nHost: localhost:3000\r\nConnection: keep-alive\r\nheader: modified\r\n' +
      'Content-Length: 8\r\n\r\nmodified')
  assert.strictEqual(
    text({ headers: { a: 'b' } }, { host: 'h', authorization: 'Basic x' }),
    'GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\na: b\r\nAuthorization: Basic x\r\n\r\n')
})

test('a header of the user takes the place of ours', () => {
  assert.strictEqual(
    text({ headers: { host: 'x', CONNECTION: 'close', 'content-length': '99' }, body: 'é' }),
    'GET / HTTP/1.1\r\nhost: x\r\nCONNECTION: close\r\nContent-Length: 2\r\n\r\né')
  assert.strictEqual(
    text({ headers: { authorization: 'own' } }, { host: 'h', authorization: 'Basic x' }),
    'GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nauthorization: own\r\n\r\n')
  assert.doesNotMatch(text({ headers: { 'Transfer-Encoding': 'chunked' }, body: '0' }), /Length/)
})

test('a list has a line for each member, and nothing has none', () => {
  const headers = { a: ['1', 2], b: undefined, c: null, d: '' }
  assert.match(text({ headers }), /keep-alive\r\na: 1\r\na: 2\r\nd: \r\n\r\n$/)
  assert.deepStrictEqual(headerPairs(headers), [['a', '1'], ['a', '2'], ['d', '']])
})

test('bodies are text, numbers or bytes', () => {
  assert.match(text({ body: 12 }), /Content-Length: 2\r\n\r\n12$/)
  const bytes = Buffer.from([0, 255, 13, 10])
  const sent = requestBytes(request({ body: bytes }), target)
  assert.ok(Buffer.isBuffer(sent))
  assert.deepStrictEqual(sent.subarray(-4), bytes)
  assert.deepStrictEqual(requestBytes(request({ body: new Uint8Array(bytes) }), target), sent)
  assert.throws(() => text({ body: {} }), /^Error: body must be either a string or a buffer$/)
})

test('what would break the request is refused', () => {
  assert.throws(() => text({ headers: { a: 'b\r\nc: d' } }), /value of header a has a line break/)
  assert.throws(() => text({ headers: { 'a: b\r\nc': 'd' } }), /not a header name/)
  assert.throws(() => text({ path: '/ HTTP/1.1\r\na: b' }), /path is empty or has a space/)
  assert.throws(() => text({ method: 'GET / HTTP/1.1\r\nX: ' }), /HTTP method is not supported$/)
  assert.throws(() => text({ method: 'FOO' }), /^Error: FOO HTTP method is not supported$/)
})

test('an id goes wherever its placeholder is, and the length is right', () => {
  const values = { method: 'POST', path: '/[%3Cid%3E]/[<id>]', headers: { x: '[<id>]' } }
  const found = text({ ...values, body: '[<id>] [<id>]' }, target, 'AB')
  assert.match(found, /^POST \/AB\/AB HTTP/)
  assert.match(found, /x: AB\r\nContent-Length: 5\r\n\r\nAB AB$/)
  const bytes = Buffer.concat([Buffer.from([255]), Buffer.from('[<id>]')])
  assert.deepStrictEqual(
    requestBytes(request({ ...values, body: bytes }), target, 'AB').subarray(-3),
    Buffer.from([255, 65, 66]))
})

test('ids are 22 characters and a count of 10 digits', () => {
  const [one, other] = [idMaker(), idMaker()]
  const first = one()
  assert.match(first, /^[\w-]{22}-0000000000$/)
  assert.strictEqual(one(), first.slice(0, 22) + '-0000000001')
  assert.notStrictEqual(other().slice(0, 22), first.slice(0, 22))
})
