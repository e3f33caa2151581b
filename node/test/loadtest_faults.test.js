'use strict'

// `npx carronade loadtest` in Node: faults of the user's modules are told with their place, and a
// report that cannot be written is not lost.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawn } = require('child_process')
const { test } = require('node:test')
const { loadTest } = require('../loadtest')
const { httpServer } = require('./support/servers')

const COMMAND = path.join(__dirname, '..', 'bin', 'carronade.js')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-loadtest-faults-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

function written(name, text) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text, { mode: 0o755 })
  return file
}

// Starts the command with a shell script in the native program's place; `stdout` as in spawn.
function start(parsed, stdout) {
  const text = typeof parsed === 'string' ? parsed : JSON.stringify(parsed)
  const answer = written('answer', text)
  const binary = written('program', `#!/bin/sh\ncat ${answer}\n`)
  const child = spawn(process.execPath, [COMMAND, 'loadtest'],
    { env: { ...process.env, CARRONADE_BINARY: binary }, stdio: ['ignore', stdout, 'pipe'] })
  let err = ''
  child.stderr.on('data', (chunk) => { err += chunk })
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, err })))
  return { child, ended }
}

const generator = written('generator.mjs', 'export default (p, options, client, callback) => ' +
  'client(options, callback)')

for (const [name, text, line] of [
  ['wrong.js', '\nwrong word here(\n', ':2: SyntaxError: Unexpected identifier .*'],
  ['wrong.mjs', '\nwrong word here(\n', ':2: SyntaxError: Unexpected identifier .*'],
  ['loading.js', '\n\nthrow new Error("top")', ':3: top'],
  ['five.mjs', 'throw 5', ': threw 5'],
  ['missing.js', '\nrequire("none-such")', ":2: Cannot find module 'none-such'"],
  ['called.js', 'module.exports = () => {\n  nothing()\n}',
    ':2: ReferenceError: nothing is not defined'],
  ['called5.js', 'module.exports = () => { throw 5 }', ': threw 5']
]) {
  test(`a fault in ${name} is told with its place`, async (t) => {
    const { url } = await httpServer(t)
    const file = written(name, text)
    for (const key of ['requestGenerator', 'postFile']) {
      const options = { url, maxRequests: 2, [key]: file }
      const { code, err } = await start({ options, needsJavaScript: true }, 'ignore').ended
      assert.strictEqual(code, 1)
      assert.match(err, new RegExp(`^loadtest: ${file}${line}\n$`))
    }
  })
}

test('a fault in a configuration in JavaScript is told with its place', async (t) => {
  written('loadtest.config.js', '\nthrow new Error("mine")')
  const before = process.cwd()
  process.chdir(folder)
  t.after(() => process.chdir(before))
  await assert.rejects(loadTest({ url: 'http://a', quiet: true }), (error) => {
    assert.strictEqual(error.message, `${path.join(folder, 'loadtest.config.js')}:2: mine`)
    return error.cause.message === 'mine'
  })
  fs.rmSync(path.join(folder, 'loadtest.config.js'))
})

const REPORT = new RegExp('^loadtest: write to standard output: (.*); the report follows here\n' +
  '\nTarget URL[^]*\nCompleted requests: {2}(\\d+)\n[^]*longest request\\)\n$')

test('a report that cannot be written is on standard error', async (t) => {
  const { url } = await httpServer(t)
  const options = { url, maxRequests: 5, requestGenerator: generator }
  const full = fs.openSync('/dev/full', 'w')
  t.after(() => fs.closeSync(full))
  const { code, err } = await start({ options, needsJavaScript: true }, full).ended
  assert.strictEqual(code, 1)
  const [, reason, completed] = REPORT.exec(err)
  assert.deepStrictEqual([reason, completed], ['No space left on device', '5'])
  const help = await start('USAGE: x\n', full).ended
  assert.deepStrictEqual(help,
    { code: 1, err: 'loadtest: write to standard output: No space left on device\n' })
})

test('a reader that goes away in the middle of a run gets no line more', async (t) => {
  const { url } = await httpServer(t)
  const noisy = written('noisy.mjs', 'export default (p, options, client, callback) => {\n' +
    '  process.stdout.write("mine\\n")\n  return client(options, callback)\n}')
  const options = {
    url, maxSeconds: 5.6, requestsPerSecond: 20, requestGenerator: noisy
  }
  const { child, ended } = start({ options, needsJavaScript: true }, 'pipe')
  child.stdout.once('data', () => child.stdout.destroy())
  const { code, err } = await ended
  assert.strictEqual(code, 1)
  const [, reason, completed] = REPORT.exec(err)
  assert.strictEqual(reason, 'Broken pipe')
  assert.ok(completed > 50)
})
