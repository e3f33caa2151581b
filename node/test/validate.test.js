'use strict'

const test = require('node:test')
const assert = require('node:assert')
const path = require('path')
const { validate, forWorker } = require('../lib/validate')
const { parseDuration } = require('../lib/duration')

const url = 'http://localhost'

test('each mistake has autocannon’s text', () => {
  const wanted = [
    [{ bailout: 0 }, 'bailout threshold can not be less than 1'],
    [{ connectionRate: 0 }, 'connectionRate can not be less than 1'],
    [{ overallRate: 0 }, 'bailout overallRate can not be less than 1'],
    [{ amount: 0 }, 'amount can not be less than 1'],
    [{ maxConnectionRequests: 0 }, 'maxConnectionRequests can not be less than 1'],
    [{ maxOverallRequests: 0 }, 'maxOverallRequests can not be less than 1'],
    [{ connections: 0 }, 'connections can not be less than 1'],
    [{ pipelining: 0 }, 'pipelining factor can not be less than 1'],
    [{ timeout: 0 }, 'timeout must be greater than 0'],
    [{ duration: -1 }, 'duration can not be less than 0'],
    [{ duration: {} }, 'duration entered was in an invalid format'],
    [{ duration: 'dunno' }, 'The string [dunno] could not be parsed by timestring'],
    [{ duration: '3 fortnights' }, 'The unit [fortnights] is not supported by timestring'],
    [{ sampleInt: 'x' }, 'sample interval entered was in an invalid format'],
    [{ sampleInt: -1 }, 'sample interval can not be less than 0'],
    [{ requests: [{ setupRequest: 1 }] }, 'Invalid option setupRequest, please provide a ' +
      'function (or file path when in workers mode)'],
    [{ requests: [{ onResponse: 1 }] }, 'Invalid option onResponse, please provide a ' +
      'function (or file path when in workers mode)'],
    [{ setupClient: 1 }, 'Invalid option setupClient, please provide a function (or file path ' +
      'when in workers mode)'],
    [{ verifyBody: 1 }, 'Invalid option verifyBody, please provide a function (or file path ' +
      'when in workers mode)'],
    [{ url: '' }, 'url or socketPath option required'],
    [{ url: [] }, 'url or socketPath option required'],
    [{ expectBody: 'x', requests: [{}] }, 'expectBody cannot be used in conjunction with requests'],
    [{ form: 'not there' }, 'Invalid JSON or file where to get form data'],
    [{ har: {} }, 'Could not parse HAR content: no entries found'],
    [{ ignoreCoordinatedOmission: true },
      'ignoreCoordinatedOmission makes no sense without connectionRate or overallRate'],
    [{ forever: true, workers: 2 },
      "Using `forever` option isn't currently supported with workers"]
  ]
  for (const [opts, text] of wanted) {
    const found = validate({ url, ...opts }, false)
    assert.ok(found instanceof Error, text)
    assert.strictEqual(found.message, text)
  }
  assert.match(validate({ url, forever: true }, true).message, /^should not use the callback par/)
})

test('what autocannon lets pass by and then does not understand is refused', () => {
  assert.match(validate({ url, connections: 'many' }).message, /^connections must be a number/)
  assert.match(validate({ url, duration: '1,5' }).message, /invalid format/)
  assert.match(validate({ url, setupClient: './not-there' }).message,
    /^Invalid option setupClient.*Cannot find module/s)
  assert.match(validate({ url, workers: 2, setupClient() {} }).message,
    /^setupClient must be the path of a module/)
})

test('an option of another kind, or out of its range, is named in one line', () => {
  const own = path.join(__dirname, 'not a list')
  for (const [opts, text] of [
    [{ requests: 'x' }, 'requests must be a list of objects, not a string'],
    [{ requests: { path: '/' } }, 'requests must be a list of objects, not a Object'],
    [{ requests: [{}, null] }, 'requests[1] must be an object, not null'],
    [{ requests: [{ headers: 'a: b' }] }, 'requests[0].headers must be an object, not a string'],
    [{ headers: ['a: b'] }, 'headers must be an object, not a list'],
    [{ headers: new Map() }, 'headers must be an object, not a Map'],
    [{ tlsOptions: own }, 'tlsOptions must be an object, not a string'],
    [{ warmup: 5 }, 'warmup must be an object, not a number'],
    [{ form: 5 }, 'form must be an object, its JSON or the path of a file with it, not a number'],
    [{ form: 'null' }, 'Invalid JSON or file where to get form data'],
    [{ duration: '-1s' }, 'duration can not be less than 0'],
    [{ workers: -1 }, 'workers can not be less than 0'],
    [{ sampleInt: Infinity }, 'sampleInt can not be more than 3600000 ms, not Infinity'],
    [{ sampleInt: 1e20 }, 'sampleInt can not be more than 3600000 ms, not 100000000000000000000']
  ]) {
    assert.strictEqual(validate({ url, ...opts }, false).message, text)
  }
})

test('a URL may be an object', () => {
  const given = [new URL('http://a/b?c'), 'd']
  assert.deepStrictEqual(validate({ url: given }).url, ['http://a/b?c', 'd'])
  assert.strictEqual(validate({ url: given[0] }).url, 'http://a/b?c')
})

test('defaults are filled in and times are seconds', () => {
  const opts = validate({ url })
  assert.deepStrictEqual(
    [opts.connections, opts.pipelining, opts.duration, opts.timeout, opts.sampleInt, opts.method],
    [10, 1, 10, 10, 1000, 'GET'])
  assert.strictEqual(validate({ url, duration: '10m' }).duration, 600)
  assert.strictEqual(validate({ url, duration: '1' }).duration, 1)
  assert.strictEqual(validate({ url, connections: '20' }).connections, 20)
  assert.strictEqual(validate({ url, form: { a: { type: 'text', value: 'b' } } }).method, 'POST')
})

test('durations add up', () => {
  for (const [text, seconds] of [
    ['500ms', 0.5], ['2 weeks', 1209600], ['1h30m', 5400], ['1.5 hours', 5400],
    ['2 days, 10 secs', 172810], ['1 month', 2629800], ['1y', 31557600], ['3MIN', 180]
  ]) {
    assert.ok(Math.abs(parseDuration(text) - seconds) < 1e-6, text)
  }
})

test('the options given are never changed', () => {
  const opts = {
    url,
    form: { a: { type: 'text', value: 'b' } },
    headers: { x: '1' },
    requests: [{ path: '/a', setupRequest: (request) => request }],
    duration: '1s',
    json: true
  }
  const freeze = (value) => {
    if (typeof value === 'object' && value) Object.values(Object.freeze(value)).forEach(freeze)
    return value
  }
  assert.ok(!(validate(freeze(opts)) instanceof Error))
})

test('a module path is loaded here without workers, and there with them', () => {
  const file = path.join(__dirname, 'fixtures', 'verify_body.js')
  assert.strictEqual(typeof validate({ url, verifyBody: file }).verifyBody, 'function')
  const opts = validate({ url, verifyBody: file, workers: 2 })
  assert.strictEqual(opts.verifyBody, file)
  assert.strictEqual(forWorker(opts).verifyBody('fine'), true)
})
