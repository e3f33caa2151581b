'use strict'

// The command of the package, with a shell script in the place of the native program.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawn } = require('child_process')
const { test } = require('node:test')

const COMMAND = path.join(__dirname, '..', 'bin', 'carronade.js')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-command-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))

function program(name, script) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return file
}

// What became of it: [exit code, signal, stdout, stderr].
function run(binary, words, whenSaid = () => {}) {
  const child = spawn(process.execPath, [COMMAND, ...words],
    { env: { ...process.env, CARRONADE_BINARY: binary }, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    whenSaid(child, out)
  })
  child.stderr.on('data', (chunk) => { err += chunk })
  child.stdin.end('from stdin')
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve([code, signal, out, err]))
  })
}

test('hands on the words, standard input and the exit code', async () => {
  const binary = program('echo', 'printf "%s|" "$@"; cat; echo to stderr >&2; exit 3')
  assert.deepStrictEqual(await run(binary, ['-c', '5', 'a b', '']),
    [3, null, '-c|5|a b||from stdin', 'to stderr\n'])
})

test('hands on signals, and what the program makes of them', async () => {
  const binary = program('trap', 'trap "echo got it; exit 7" INT; echo ready; ' +
    'n=0; while [ $n -lt 200 ]; do sleep 0.05; n=$((n + 1)); done')
  let sent = false
  const [code, signal, out] = await run(binary, [], (child, said) => {
    if (said.includes('ready') && !sent) {
      sent = true
      child.kill('SIGINT')
    }
  })
  assert.deepStrictEqual([code, signal, out], [7, null, 'ready\ngot it\n'])
})

test('ends by the signal that ended the program', async () => {
  const [code, signal] = await run(program('killed', 'kill -TERM $$'), [])
  assert.deepStrictEqual([code, signal], [null, 'SIGTERM'])
})

test('says what it could not start', async () => {
  const [code, , , err] = await run('/none/carronade', [])
  assert.strictEqual(code, 1)
  assert.match(err, /^carronade: cannot start \/none\/carronade: .*ENOENT.*CARRONADE_BINARY/)
})
