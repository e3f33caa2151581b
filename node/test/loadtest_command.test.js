'use strict'

// `npx carronade loadtest …`: a shell script stands for the native program, which reads the words.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawn } = require('child_process')
const { test } = require('node:test')
const { httpServer } = require('./support/servers')

const COMMAND = path.join(__dirname, '..', 'bin', 'carronade.js')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-loadtest-command-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

let programs = 0
// Prints `parsed` when it is asked for the options, and its words otherwise.
function program(parsed, code = 0) {
  const file = path.join(folder, `program${programs++}`)
  const answer = `${file}.answer`
  fs.writeFileSync(answer, typeof parsed === 'string' ? parsed : JSON.stringify(parsed) + '\n')
  fs.writeFileSync(file, `#!/bin/sh\nif [ "$2" = --parsed-options ]; then cat ${answer}; ` +
    `echo said >&2; exit ${code}; fi\nprintf "%s|" "$@"; exit 3\n`, { mode: 0o755 })
  return file
}

// What became of it: {code, signal, out, err}.
function run(binary, words, whenStarted = () => {}) {
  const child = spawn(process.execPath, [COMMAND, 'loadtest', ...words],
    { env: { ...process.env, CARRONADE_BINARY: binary }, stdio: ['ignore', 'pipe', 'pipe'] })
  const found = { out: '', err: '' }
  child.stdout.on('data', (chunk) => { found.out += chunk })
  child.stderr.on('data', (chunk) => { found.err += chunk })
  whenStarted(child, found)
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...found }))
  })
}

const generator = path.join(folder, 'generator.mjs')
fs.writeFileSync(generator,
  'export default (params, options, client, callback) => client(options, callback)')

test('what needs no JavaScript is the native program\'s, with the same words', async () => {
  const binary = program({ options: { url: 'http://a' }, needsJavaScript: false })
  const { code, out, err } = await run(binary, ['-n', '5', 'http://a', 'a b'])
  assert.deepStrictEqual([code, out, err], [3, 'loadtest|-n|5|http://a|a b|', ''])
})

test('words that are wrong are told as the native program tells them', async () => {
  const { code, out, err } = await run(program('Unknown option: "-z".\n', 255), ['-z'])
  assert.deepStrictEqual([code, out, err], [255, 'Unknown option: "-z".\n', 'said\n'])
})

test('help is printed as it is', async () => {
  const { code, out } = await run(program('USAGE: x\n'), ['--help'])
  assert.deepStrictEqual([code, out], [0, 'USAGE: x\n'])
})

test('JavaScript is run here, and the report printed', async (t) => {
  const { url, seen } = await httpServer(t)
  const options = {
    url, maxRequests: 12, concurrency: 3, requestGenerator: generator, agentKeepAlive: true,
    headers: [['x-a', 'b'], ['x-a', 'c']], cookies: ['d=e']
  }
  const { code, out, err } = await run(program({ options, needsJavaScript: true }), [])
  assert.strictEqual(code, 0, err)
  assert.strictEqual(seen.length, 12)
  assert.deepStrictEqual([seen[0].headers['x-a'], seen[0].headers.cookie], ['c', 'd=e'])
  assert.match(out, new RegExp(`^\nTarget URL: {10}${url}\nMax requests: {8}12\n` +
    'Concurrent clients: {2}3\nAgent: {15}keepalive\n\nCompleted requests: {2}12\n' +
    'Total errors: {8}0\nTotal time: {10}[\\d.]+ s\nMean latency: {8}[\\d.]+ ms\n' +
    'Effective rps: {7}[\\d.]+\n\nPercentage of requests served within a certain time\n' +
    '( {2}\\d\\d% {6}[\\d.]+ ms\n){4} 100% {6}[\\d.]+ ms \\(longest request\\)\n$'))
})

test('Ctrl-C ends the test with its report', async (t) => {
  const { url, seen } = await httpServer(t)
  const options = { url, maxSeconds: 60, requestGenerator: generator }
  const binary = program({ options, needsJavaScript: true })
  const { code, signal, out } = await run(binary, [], (child) => {
    const timer = setInterval(() => {
      if (seen.length < 20) return
      clearInterval(timer)
      child.kill('SIGINT')
    }, 20)
  })
  assert.deepStrictEqual([code, signal], [130, null])
  const [, completed] = /\nCompleted requests: {2}(\d+)\n/.exec(out)
  assert.ok(Number(completed) > 0 && Number(completed) <= seen.length)
})

test('a line every five seconds, unless it is to be quiet', async (t) => {
  const { url } = await httpServer(t)
  const options = { url, maxSeconds: 5.8, concurrency: 1, requestGenerator: generator }
  const both = [{}, { quiet: true }].map((more) =>
    run(program({ options: { ...options, ...more }, needsJavaScript: true }), []))
  const [loud, quiet] = await Promise.all(both)
  assert.match(loud.out, /^Requests: \d+, requests per second: [\d.]+, mean latency: [\d.]+ ms\n\n/)
  assert.match(quiet.out, /^\nTarget URL/)
})

test('says what is wrong in one line, and what the report has no place for', async (t) => {
  const wrong = { url: 'http://a', requestGenerator: './none.mjs' }
  const { code, out, err } = await run(program({ options: wrong, needsJavaScript: true }), [])
  assert.deepStrictEqual([code, out], [1, ''])
  assert.match(err, /^said\nloadtest: cannot find module \.\/none\.mjs from .*\n$/)
  const lost = { url: 'http://127.0.0.1:9', maxRequests: 2, requestGenerator: generator }
  const failed = await run(program({ options: lost, needsJavaScript: true }), [])
  assert.strictEqual(failed.code, 0)
  assert.match(failed.out, /\n {3}-1: {3}2 errors\n$/)
  assert.match(failed.err, /^said\nloadtest: 2 x connect ECONNREFUSED 127\.0\.0\.1:9\n$/)
})

const NATIVE = process.env.CARRONADE_BINARY
const skip = !NATIVE && 'CARRONADE_BINARY names no program: run it with ctest'

test('the report and its digits are those of the native command', { skip }, async (t) => {
  const { url } = await httpServer(t, (request, response) => {
    response.writeHead(request.url === '/bad' ? 503 : 200).end()
  })
  const body = path.join(folder, 'body.mjs')
  fs.writeFileSync(body, 'export default (requestId) => ({ requestId })')
  const masked = (text) => text.replace(/(: +|% +)[\d.]+( ms| s|\n)/g, '$1N$2')
    .replace(/(rps: +)[\d.]+/, '$1N')
  for (const words of [['-n', '20', '-k', `${url}/bad`], ['-n20', '-c', '3', url],
    ['-n', '20', '--rps', '400.5', '--tcp', url]]) {
    const native = await run(NATIVE, ['--cores', '1', '-P', 'x', ...words])
    const inNode = await run(NATIVE, ['--cores', '1', '-p', body, ...words])
    assert.deepStrictEqual([native.code, inNode.code], [0, 0])
    assert.strictEqual(masked(inNode.out), masked(native.out))
  }
})

test('a configuration file in JavaScript, and a generator beside it', { skip }, async (t) => {
  const { url, seen } = await httpServer(t)
  const own = fs.mkdtempSync(path.join(folder, 'own-'))
  fs.writeFileSync(path.join(own, 'loadtest.config.cjs'),
    "module.exports = { maxRequests: 7, requestGenerator: './generator.mjs', headers: { a: 'b' } }")
  fs.copyFileSync(generator, path.join(own, 'generator.mjs'))
  const before = process.cwd()
  process.chdir(own)
  t.after(() => process.chdir(before))
  const { code, out, err } = await run(NATIVE, ['-H', 'c:d', url])
  assert.strictEqual(code, 0, err)
  assert.match(out, /\nCompleted requests: {2}7\n/)
  assert.deepStrictEqual([seen.length, seen[0].headers.a, seen[0].headers.c], [7, 'b', 'd'])
})

test('an answer of the native program that JavaScript follows', { skip }, async (t) => {
  const { url, seen } = await httpServer(t)
  const own = fs.mkdtempSync(path.join(folder, 'own-'))
  fs.writeFileSync(path.join(own, 'loadtest.config.cjs'),
    'module.exports = { maxRequests: 4, agentKeepAlive: true }')
  const before = process.cwd()
  process.chdir(own)
  t.after(() => process.chdir(before))
  const { code, out, err } = await run(NATIVE, ['--keepalive=false', '-H', 'nonsense', url])
  assert.deepStrictEqual([code, err],
    [0, 'Invalid header nonsense, it should be in the form -H key:value\n'])
  assert.match(out, /\nAgent: +none\n/)
  assert.strictEqual(seen.length, 4)
  // As many cores as the native command takes.
  const cores = /Running on cores: +(\d+)/
  const native = await run(NATIVE, ['-n', '64', '-k', url])
  fs.writeFileSync(path.join(own, 'loadtest.config.cjs'),
    'module.exports = { maxRequests: 64, agentKeepAlive: true }')
  const inNode = await run(NATIVE, [url])
  assert.deepStrictEqual(cores.exec(inNode.out), cores.exec(native.out))
})

test('says what it could not start', async () => {
  const { code, err } = await run('/none/carronade', [])
  assert.strictEqual(code, 1)
  assert.match(err, /^carronade: cannot start \/none\/carronade: .*ENOENT/)
})
