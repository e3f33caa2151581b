'use strict'

// What the options and the configuration file come to together: what is said holds, 0 and false
// as well, and both front ends send the same.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const { loadTest } = require('../loadtest')
const { readSettings } = require('../lib/loadtest/loadtest_settings')
const { httpServer } = require('./support/servers')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-settings-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))
process.chdir(folder)

function configured(t, config) {
  const file = path.join(folder, '.loadtestrc')
  fs.writeFileSync(file, JSON.stringify(config))
  t.after(() => fs.rmSync(file))
}

test('a timeout of 0 is none', async (t) => {
  const url = 'http://a'
  for (const none of [0, '0']) {
    assert.strictEqual((await readSettings({ url, maxRequests: 1, timeout: none })).timeoutMs, 0)
  }
  assert.strictEqual((await readSettings({ url, maxRequests: 1 })).timeoutMs, 60000)
  configured(t, { timeout: 5000 })
  assert.strictEqual((await readSettings({ url, timeout: 0 })).timeoutMs, 0)
  assert.strictEqual((await readSettings({ url })).timeoutMs, 5000)
})

test('a timeout of 0 in the file is none', async (t) => {
  configured(t, { timeout: 0, maxRequests: 5 })
  assert.strictEqual((await readSettings({ url: 'http://a' })).timeoutMs, 0)
})

test('0 and false hold against the file, and give way to another name', async (t) => {
  configured(t, { agentKeepAlive: true, insecure: true, requestsPerSecond: 7, proxy: 'p:1' })
  const url = 'https://a'
  const read = await readSettings({ url })
  assert.deepStrictEqual([read.keepAlive, read.tls.verify, read.rate, read.proxy],
    [true, false, 7, 'http://p:1'])
  const off = await readSettings(
    { url, agentKeepAlive: false, insecure: false, requestsPerSecond: 0, proxy: false })
  assert.deepStrictEqual([off.keepAlive, off.tls.verify, off.rate, off.proxy],
    [false, true, 0, ''])
  assert.strictEqual((await readSettings({ url, requestsPerSecond: 0, rps: 100 })).rate, 100)
  assert.strictEqual((await readSettings({ url, agentKeepAlive: false, agent: true })).keepAlive,
    true)
})

test('contentType is that of a body', async (t) => {
  const url = 'http://a'
  const typeOf = ({ headers }) => headers['Content-Type'] || headers['content-type']
  assert.strictEqual(typeOf(await readSettings({ url, contentType: 'a/b' })), undefined)
  assert.strictEqual(typeOf(await readSettings({ url, contentType: 'a/b', body: 'x' })), 'a/b')
  configured(t, { contentType: 'text/xml' })
  const headers = { 'content-type': 'application/json' }
  assert.strictEqual(typeOf(await readSettings({ url, body: 'x', headers })), 'application/json')
  assert.strictEqual(typeOf(await readSettings({ url, body: 'x' })), 'text/xml')
  const both = await readSettings({ url, body: 'x', headers, contentType: 'a/b' })
  assert.deepStrictEqual([typeOf(both), both.headers['content-type']], ['a/b', undefined])
})

test('a framing of the user\'s is left out', async (t) => {
  const { url, seen } = await httpServer(t)
  const headers = { 'Transfer-Encoding': 'chunked', 'content-length': 99 }
  const plain = (params, options, client, callback) => client(options, callback)
  for (const more of [{}, { indexParam: 'x' }, { requestGenerator: plain }]) {
    const result = await loadTest(
      { url, maxRequests: 1, postBody: 'hello', headers, quiet: true, ...more })
    assert.strictEqual(result.totalErrors, 0)
  }
  assert.deepStrictEqual(seen.map((request) => [request.body, request.headers['content-length'],
    request.headers['transfer-encoding']]), Array(3).fill(['hello', '5', undefined]))
})

test('the index is in bytes, too: of a file, of the file\'s file, of a function', async (t) => {
  const { url, seen } = await httpServer(t)
  const file = path.join(folder, 'body.txt')
  fs.writeFileSync(file, 'a=idx&é=idx')
  const plain = (params, options, client, callback) => client(options, callback)
  const options = { url, maxRequests: 1, indexParam: 'idx', quiet: true }
  for (const more of [{ postFile: file }, { putFile: file, requestGenerator: plain, data: 'idx' },
    { method: 'POST', body: fs.readFileSync(file) },
    { method: 'POST', body: () => fs.readFileSync(file) }]) {
    await loadTest({ ...options, ...more })
  }
  configured(t, { file, method: 'POST' })
  await loadTest(options)
  const numbers = seen.map(({ body }) => /^a=(\d+)&é=\1$/.exec(body) || /^(\d+)$/.exec(body))
  assert.ok(numbers.every(Boolean), seen.map(({ body }) => body).join('; '))
  assert.strictEqual(new Set(numbers.map(([, number]) => number)).size, 5)
})

test('bytes that are no text keep what they are around the index', async () => {
  const { RequestTexts } = require('../lib/loadtest/request_texts')
  const bytes = Buffer.from([0xff, 0x69, 0x64, 0x78, 0xfe])
  const settings = await readSettings({
    url: 'http://a', method: 'POST', body: bytes, indexParam: 'idx', indexParamCallback: () => 'é'
  })
  const sent = Buffer.from(new RequestTexts(settings).next())
  assert.deepStrictEqual(sent.subarray(-4), Buffer.from([0xff, 0xc3, 0xa9, 0xfe]))
})

test('a generator\'s params have the headers that are sent, and only what is public', async () => {
  const { params, headers } = await readSettings(
    { url: 'http://a', headers: { 'X-A': 1 }, requestGenerator: () => {} })
  assert.deepStrictEqual(params.headers, { ...headers })
  assert.notStrictEqual(params.headers, headers)
  assert.strictEqual(params.headers['x-a'], '1')
  for (const name of ['config', 'rate', 'timeoutMs']) assert.ok(!(name in params), name)
})

test('cores: what the command has as its default, one with functions', async (t) => {
  const url = 'http://a'
  const told = []
  const hear = (warning) => told.push(warning.message)
  process.on('warning', hear)
  t.after(() => process.removeListener('warning', hear))
  assert.strictEqual((await readSettings({ url })).cores, 1)
  assert.strictEqual((await readSettings({ url }, { defaultCores: 4 })).cores, 4)
  assert.strictEqual((await readSettings({ url, cores: 2 }, { defaultCores: 4 })).cores, 2)
  const one = await readSettings({ url, statusCallback() {} }, { defaultCores: 4 })
  assert.strictEqual(one.cores, 1)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepStrictEqual(told, [])
  await readSettings({ url, cores: 2, statusCallback() {} })
  await new Promise((resolve) => setImmediate(resolve))
  assert.strictEqual(told.length, 1)
})
