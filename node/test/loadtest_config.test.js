'use strict'

// loadtest's configuration file: where it is found, what it says, and that the API comes first.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { test } = require('node:test')
const { loadConfig } = require('../lib/loadtest/config')
const { loadTest } = require('../loadtest')
const { httpServer } = require('./support/servers')

function folderWith(t, files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-config-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    const written = typeof text === 'string' ? text : JSON.stringify(text)
    fs.writeFileSync(path.join(folder, name), written)
  }
  return folder
}

for (const [name, text] of [
  ['package.json', '{"loadtest": {"concurrency": 3}}'],
  ['.loadtestrc', 'concurrency: 3'],
  ['.loadtestrc', '{"concurrency": 3}'],
  ['.loadtestrc.json', '{"concurrency": "3"}'],
  ['.loadtestrc.yml', '# mine\nconcurrency: 3\n'],
  ['loadtest.config.yaml', 'concurrency: 3'],
  ['loadtest.config.js', 'module.exports = { concurrency: 3 }'],
  ['loadtest.config.mjs', 'export default { concurrency: 3 }'],
  ['.loadtestrc.cjs', 'exports.concurrency = 3'],
  ['.loadtest/loadtest.config.json', '{"concurrency": 3}']
]) {
  test(`is found in ${name}: ${text.slice(0, 20)}`, async (t) => {
    const folder = folderWith(t, { [name]: text })
    assert.deepStrictEqual(await loadConfig(folder, folder), { concurrency: 3 })
  })
}

test('the nearest folder holds, up to home', async (t) => {
  const folder = folderWith(t, {
    '.loadtestrc': 'concurrency: 1',
    'a/package.json': '{}',
    'a/.loadtestrc': 'concurrency: 2',
    'a/b/c/none': ''
  })
  const below = path.join(folder, 'a/b/c')
  assert.deepStrictEqual(await loadConfig(below, folder), { concurrency: 2 })
  assert.deepStrictEqual(await loadConfig(below, path.join(folder, 'a/b')), {})
})

test('a text leads on, and extends lies under the rest', async (t) => {
  const folder = folderWith(t, {
    'package.json': { loadtest: './configs/main' },
    'configs/main': 'extends: [one.json, two.yaml]\nheaders: {c: z}\nmaxRequests: 5',
    'configs/one.json': {
      maxRequests: 1, timeout: '30', headers: { a: 'x', b: 'y' }, body: { a: 1 }
    },
    'configs/two.yaml': 'body: {b: 2}\nheaders: {b: 2}'
  })
  assert.deepStrictEqual(await loadConfig(folder, folder), {
    maxRequests: 5, timeout: 30, body: { b: 2 }, headers: [['a', 'x'], ['b', '2'], ['c', 'z']]
  })
})

test('empty values are none, unknown keys nothing', async (t) => {
  const folder = folderWith(t, {
    '.loadtestrc': {
      concurrency: 0, method: '', body: '', cookies: { a: 1, b: 'c' }, insecure: 'yes', tcp: true
    }
  })
  assert.deepStrictEqual(await loadConfig(folder, folder),
    { insecure: true, cookies: ['a=1', 'b=c'] })
})

for (const [name, files, text] of [
  ['no JSON', { '.loadtestrc.json': '{' }, /\.loadtestrc\.json: /],
  ['no YAML', { '.loadtestrc': 'a: [' }, /\.loadtestrc: /],
  ['no object', { '.loadtestrc': '[1]' }, /the configuration is no object/],
  ['a circle', { '.loadtestrc': '.loadtestrc' }, /lead in a circle/],
  ['another format', { '.loadtestrc.toml': '' },
    /\.toml is not supported: write it as JSON or YAML/],
  ['a wrong number', { '.loadtestrc': 'timeout: soon' }, /timeout must be a number/],
  ['a wrong flag', { '.loadtestrc': 'insecure: perhaps' }, /insecure must be true or false/],
  ['a wrong header', { '.loadtestrc': 'headers: {a: [1]}' }, /headers\.a must be a text/]
]) {
  test(`says what is wrong: ${name}`, async (t) => {
    const folder = folderWith(t, files)
    await assert.rejects(loadConfig(folder, folder), (error) => {
      assert.match(error.message, text)
      assert.ok(error.message.startsWith(folder) && !error.message.includes('\n'), error.message)
      return true
    })
  })
}

test('the API comes before the file, the file before the defaults', async (t) => {
  const { url, seen } = await httpServer(t)
  const folder = folderWith(t, {
    '.loadtestrc': {
      maxRequests: 6, method: 'POST', body: { from: 'file' }, contentType: 'application/json',
      headers: { 'X-A': 'file', 'X-B': 'file' }, cookies: { c: 'd' }, agentKeepAlive: true
    }
  })
  const before = process.cwd()
  process.chdir(folder)
  t.after(() => process.chdir(before))
  const plain = await loadTest({ url, quiet: true })
  const other = await loadTest({
    url,
    maxRequests: 2,
    postBody: 'mine',
    headers: { 'x-a': 'api' },
    contentType: 'text/x',
    quiet: true
  })
  assert.deepStrictEqual([plain.totalRequests, plain.concurrency, plain.agent],
    [6, 10, 'keepalive'])
  const facts = seen.map(({ method, headers, body }) =>
    [method, headers['x-a'], headers['x-b'], headers.cookie, headers['content-type'], body])
  assert.deepStrictEqual(facts[0],
    ['POST', 'file', 'file', 'c=d', 'application/json', '{"from":"file"}'])
  assert.strictEqual(other.totalRequests, 2)
  assert.deepStrictEqual(facts[7], ['POST', 'api', 'file', 'c=d', 'text/x', 'mine'])
})
