'use strict'

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { spawn } = require('child_process')
const { test } = require('node:test')
const { startServer } = require('./support/recording_server')

const FIXTURES = path.join(__dirname, 'fixtures')

// What became of it: {code, out, err}.
function command(words, whenSaid = () => {}) {
  const env = { ...process.env }
  delete env.PORT
  const child = spawn(process.execPath, [path.join(FIXTURES, 'run_command.js'), ...words], { env })
  const result = { out: '', err: '' }
  child.stdout.on('data', (chunk) => { result.out += chunk })
  child.stderr.on('data', (chunk) => {
    result.err += chunk
    whenSaid(child, result.err)
  })
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...result }))
  })
}

async function withServer(body) {
  const server = await startServer()
  try {
    return await body(server)
  } finally {
    server.close()
  }
}

test('the report goes to standard error, line for line as autocannon writes it', () =>
  withServer(async ({ url }) => {
    const { code, out, err } = await command(['-d', '1', '-c', '2', url])
    assert.deepStrictEqual([code, out], [0, ''])
    const lines = err.split('\n')
    assert.strictEqual(lines.length, 22)
    assert.deepStrictEqual(lines.slice(0, 4),
      [`Running 1s test @ ${url}`, '2 connections', '', ''])
    assert.strictEqual(lines[18], '# of samples: 1')
    assert.match(lines[20], /^\d+k? requests in 1(\.\d+)?s, .*B read$/)
  }))

test('-n and -V=0 hide what they hide', () =>
  withServer(async ({ url }) => {
    assert.strictEqual((await command(['-a', '10', '-n', url])).err, '')
    const { err } = await command(['-a', '10', '-V=0', '--no-progress', url])
    assert.match(err, /^10 requests in .*s, .*B read\n$/)
  }))

test('-j prints the result as one line, and one more for a warm-up', () =>
  withServer(async ({ url }) => {
    const { out, err } = await command(['-a', '10', '-j', '-T', 'named', url])
    assert.strictEqual(err, '')
    const result = JSON.parse(out)
    assert.deepStrictEqual([result.title, result.requests.total], ['named', 10])
    assert.strictEqual(out.split('\n').length, 2)
    const warmed = await command(['-a', '10', '-j', '-W', '[', '-c', '1', '-a', '3', ']', url])
    const documents = warmed.out.trim().split('\n').map((line) => JSON.parse(line))
    assert.strictEqual(documents.length, 2)
    assert.strictEqual(documents[1].requests.total, 10)
    assert.strictEqual(documents[1].warmup.connections, 1)
  }))

test('options that are not valid are told in one line, with exit code 0', () =>
  withServer(async ({ url }) => {
    const { code, err } = await command(['-c', '0', url])
    assert.deepStrictEqual([code, err], [0, 'connections can not be less than 1\n'])
    const forever = await command(['-f', '-w', '2', url])
    assert.deepStrictEqual([forever.code, forever.err],
      [0, "Using `forever` option isn't currently supported with workers\n"])
  }))

test('a body in brackets arrives in brackets', () =>
  withServer(async ({ url, asked }) => {
    await command(['-a', '1', '-c', '1', '-m', 'POST', '-b', '[{"a":1}]', '-n', url])
    assert.strictEqual(String(asked[0].body), '[{"a":1}]')
  }))

test('a form keeps the method GET unless another is given', () =>
  withServer(async ({ url, asked }) => {
    const form = '{"a":{"type":"text","value":"b"}}'
    await command(['-a', '1', '-c', '1', '-n', '-F', form, url])
    assert.strictEqual(asked[0].method, 'GET')
    assert.match(String(asked[0].body), /name="a"\r\n\r\nb\r\n/)
  }))

test('Ctrl-C ends the run with its report', () =>
  withServer(async ({ url }) => {
    let sent = false
    const { code, err } = await command(['-d', '60', url], (child, said) => {
      if (!said.includes('connections') || sent) return
      sent = true
      setTimeout(() => child.kill('SIGINT'), 300)
    })
    assert.strictEqual(code, 0)
    assert.match(err, /\dk? requests in /)
  }))

test('-f goes on until Ctrl-C, with a report for each round', () =>
  withServer(async ({ url }) => {
    let sent = false
    const { code, err } = await command(['-f', '-a', '5', '-c', '1', url], (child, said) => {
      if (said.split('5 requests in').length < 3 || sent) return
      sent = true
      child.kill('SIGINT')
    })
    assert.strictEqual(code, 0)
    assert.ok(err.split('Running 5 requests test').length > 2)
  }))

test('--on-port runs against the port of a command and ends it', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-start-'))
  const ended = path.join(folder, 'ended')
  try {
    const { code, err } = await command([
      '-a', '10', '-c', '1', '/path', '--', 'node', path.join(FIXTURES, 'small_server.js'), ended
    ])
    assert.strictEqual(code, 0)
    assert.match(err, /^Running 10 requests test @ http:\/\/localhost:\d+\/path\n/)
    assert.match(err, /\n10 requests in /)
    assert.strictEqual(fs.readFileSync(ended, 'utf8'), 'SIGINT')
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})

test('--on-port says when the command does not come to listen', async () => {
  const early = await command(['--on-port', '/', '--', 'sh', '-c', 'exit 3'])
  assert.deepStrictEqual([early.code, early.err],
    [1, 'sh ended (3) before it listened on a port\n'])
  const none = await command(['--on-port', '/', '--', '/none/program'])
  assert.strictEqual(none.code, 1)
  assert.match(none.err, /^cannot start \/none\/program: .*ENOENT/)
})
