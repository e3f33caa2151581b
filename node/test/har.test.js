'use strict'

const assert = require('assert')
const { test } = require('node:test')
const { harWarnings, parseHar } = require('../lib/har')

const archive = (...requests) => ({ log: { entries: requests.map((request) => ({ request })) } })
const get = (url, headers = []) => ({ method: 'GET', url, headers })

test('groups the requests by origin, in their order', () => {
  const byOrigin = parseHar(archive(
    get('https://a.example/p?a=b&c=+d#frag', [
      { name: 'X-D', value: '1' }, { name: 'X-D', value: '2' }, { name: 'Host', value: 'a' }
    ]),
    get('http://b.example:81/'),
    { ...get('https://a.example'), method: 'POST', postData: { text: 'x=y' } }
  ))
  assert.deepStrictEqual([...byOrigin.keys()], ['https://a.example', 'http://b.example:81'])
  assert.deepStrictEqual(byOrigin.get('https://a.example'), [
    {
      origin: 'https://a.example',
      method: 'GET',
      path: '/p?a=b&c=+d#frag',
      headers: { 'X-D': '2', Host: 'a' }
    },
    { origin: 'https://a.example', method: 'POST', path: '/', headers: {}, body: 'x=y' }
  ])
})

test('says which entry is wrong', () => {
  const message = (har) => {
    try {
      parseHar(har)
    } catch (error) {
      return error.message
    }
    return 'no error'
  }
  const prefix = 'Could not parse HAR content: '
  for (const har of [null, {}, { log: null }, { log: {} }, { log: { entries: [] } }]) {
    assert.strictEqual(message(har), `${prefix}no entries found`)
  }
  assert.strictEqual(message({ log: { entries: ['x'] } }), `${prefix}invalid request in entry #1`)
  assert.strictEqual(message(archive(get('http://a'), null)),
    `${prefix}invalid request in entry #2`)
  assert.strictEqual(message(archive({ headers: null, url: 'http://a' })),
    `${prefix}invalid headers array in entry #1`)
  assert.strictEqual(message(archive(get('http://a'), get('http://a', ['foo']))),
    `${prefix}invalid name or value in header #1 of entry #2`)
  assert.strictEqual(message(archive(get('foo'))), `${prefix}invalid url in entry #1`)
})

test('warns of origins that are no targets', () => {
  const byOrigin = parseHar(archive(get('https://x/'), get('http://a:80/q'), get('http://y/')))
  assert.deepStrictEqual(harWarnings(byOrigin, ['http://a/p', 'http://b']), [
    "Warning: skipping requests to 'https://x' as the target is http://a, http://b",
    "Warning: skipping requests to 'http://y' as the target is http://a, http://b"
  ])
  assert.deepStrictEqual(harWarnings(parseHar(archive(get('http://a/q'))), 'http://a'), [])
})
