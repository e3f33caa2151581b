'use strict'

const test = require('node:test')
const assert = require('node:assert')
const { flatHeaders, headerObject, headEvent } = require('../lib/response_head')

const HEAD = 'HTTP/1.1 201 Made it\r\nX-A: 1\r\nset-cookie: a=b\r\nx-a:  2 \r\n' +
  'set-cookie: c=d\r\nEmpty:\r\nset-cookie: e=f:g\r\n'

test('names keep their case, a repeated one has a list', () => {
  assert.deepStrictEqual(headerObject(HEAD), {
    'X-A': '1', 'set-cookie': ['a=b', 'c=d', 'e=f:g'], 'x-a': '2', Empty: ''
  })
  assert.deepStrictEqual(headerObject('HTTP/1.1 204 No Content\r\n'), {})
})

test('the headers event has the status line and a flat list', () => {
  assert.deepStrictEqual(headEvent('HTTP/1.0 404 Not Found\nA: b\nConnection: close\n'), {
    headers: ['A', 'b', 'Connection', 'close'],
    upgrade: false,
    versionMajor: 1,
    versionMinor: 0,
    statusCode: 404,
    statusMessage: 'Not Found',
    shouldKeepAlive: false
  })
  assert.strictEqual(headEvent(HEAD).statusMessage, 'Made it')
  assert.strictEqual(headEvent(HEAD).shouldKeepAlive, true)
  assert.strictEqual(headEvent('HTTP/1.1 200\r\n').statusCode, 200)
})

test('trailers are header lines', () => {
  assert.deepStrictEqual(flatHeaders('Content-MD5: abc=\r\nX: y\r\n'),
    ['Content-MD5', 'abc=', 'X', 'y'])
  assert.deepStrictEqual(flatHeaders(''), [])
})
