'use strict'

const assert = require('assert')
const { spawn } = require('child_process')
const { test } = require('node:test')
const { watchForPort } = require('../lib/listening_port')

const SERVER = "require('net').createServer().listen(0, '127.0.0.1', function () {" +
  ' console.log(this.address().port); process.stdin.resume().on("end", () => process.exit()) })'

function found(command, words) {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(text))))
  const seen = new Promise((resolve) => watchForPort(child.pid, resolve))
  return Promise.all([said, seen]).finally(() => child.stdin.end())
}

test('finds the port of a program', async () => {
  const [said, seen] = await found(process.execPath, ['-e', SERVER])
  assert.strictEqual(seen, said)
})

test('finds the port of what a program starts', async () => {
  const [said, seen] = await found('sh', ['-c', '"$0" -e "$1"; true', process.execPath, SERVER])
  assert.strictEqual(seen, said)
})

test('finds nothing where nobody listens, and can be told to stop', async () => {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] })
  let port
  const stop = watchForPort(child.pid, (value) => { port = value })
  await new Promise((resolve) => setTimeout(resolve, 100))
  stop()
  child.stdin.end()
  assert.strictEqual(port, undefined)
})
