'use strict'

// The expected objects were recorded from autocannon 9.0.0 in the folder fixtures.

const assert = require('assert')
const path = require('path')
const { test } = require('node:test')
const { parseArguments } = require('../lib/parse_arguments')
const recorded = require('./fixtures/autocannon_arguments.json')

const FIXTURES = path.join(__dirname, 'fixtures')

// What is run in the folder, with PORT, and with standard error caught.
function parsed(words, port) {
  const before = { folder: process.cwd(), port: process.env.PORT, error: console.error }
  const stderr = []
  process.chdir(FIXTURES)
  delete process.env.PORT
  if (port) process.env.PORT = port
  console.error = (...texts) => stderr.push(texts.join(' '))
  try {
    return { argv: parseArguments(words), stderr }
  } catch (error) {
    return { error: error.message, stderr }
  } finally {
    process.chdir(before.folder)
    delete process.env.PORT
    if (before.port !== undefined) process.env.PORT = before.port
    console.error = before.error
  }
}

test('gives what autocannon gives', () => {
  for (const { words, port, argv, error, stderr } of recorded) {
    const ours = parsed(words, port)
    const plain = ours.argv && JSON.parse(JSON.stringify(ours.argv))
    assert.deepStrictEqual({ argv: plain, error: ours.error, stderr: ours.stderr },
      { argv, error, stderr }, words.join(' '))
  }
})

test('marks the object as one of a command line', () => {
  assert.strictEqual(parsed(['http://x']).argv[Symbol.for('internal')], true)
})

test('reads certificates as buffers', () => {
  const { argv } = parsed(['--ca', '[', 'a.pem', 'b.pem', ']', '--cert', 'a.pem', 'x'])
  assert.deepStrictEqual(argv.tlsOptions.ca.map(String), ['first file\n', 'second file\n'])
  assert.ok(Buffer.isBuffer(argv.tlsOptions.cert))
})

test('keeps the values of headers as they are', () => {
  assert.deepStrictEqual(parsed(['-H', 'a: b ', '-H', 'c=d:e', 'x']).argv.headers,
    { a: ' b ', c: 'd:e' })
})

test('a URL that is none ends the process with 1', () => {
  const { spawnSync } = require('child_process')
  const file = JSON.stringify(path.join(__dirname, '..', 'lib', 'parse_arguments'))
  const env = { ...process.env }
  delete env.PORT
  const run = spawnSync(process.execPath,
    ['-e', `require(${file}).parseArguments(['/foo'])`], { encoding: 'utf8', env })
  assert.strictEqual(run.status, 1)
  assert.match(run.stderr, /^Invalid URL.*\n\nWhen targeting a path without a hostname, the PORT/)
})
