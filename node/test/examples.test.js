'use strict'

// Every example is run as a person runs it, only shorter.

const test = require('node:test')
const assert = require('node:assert')
const fs = require('fs')
const path = require('path')
const { spawnSync } = require('child_process')

const EXAMPLES = path.join(__dirname, '..', 'examples')
const NPM = path.join(__dirname, '..', '..', 'build', 'npm', 'node_modules')
// Where tools/bootstrap.sh puts express.
const env = { ...process.env, NODE_PATH: [process.env.NODE_PATH, NPM].filter(Boolean).join(':') }

function run(file, word) {
  const child = spawnSync(process.execPath, [path.join(EXAMPLES, file), word],
    { env, encoding: 'utf8', timeout: 60000 })
  assert.strictEqual(child.status, 0, `${file}: ${child.signal}\n${child.stdout}${child.stderr}`)
  return child
}

test('there is a test of every example', () => {
  const code = fs.readFileSync(__filename, 'utf8')
  for (const file of fs.readdirSync(EXAMPLES)) {
    if (!/^(server_process|.*_server)\./.test(file)) assert.ok(code.includes(`'${file}'`), file)
  }
})

test('the basic run', () => {
  const { stdout, stderr } = run('basic.js', '0.3')
  assert.match(stdout, /^[1-9]\d* answers in 0\.\d+ s, [\d.]+ ms at the 99th percentile\n$/)
  assert.match(stderr, /^Running 0\.3s test @ http:\/\/127\.0\.0\.1:\d+\n10 connections\n/)
  assert.match(stderr, /│ Latency │.*│ Req\/Sec .*│ 99\.99 /s)
})

test('async and await, in a module', () => {
  const { stdout, stderr } = run('async_await.mjs', '0.3')
  assert.strictEqual(stdout.match(/│ Latency │/g).length, 2)
  assert.match(stdout, /^1 on their way at once.*^10 on their way at once/ms)
  assert.match(stdout, /not run: connections cannot be greater than amount\n$/)
  assert.strictEqual(stderr, '')
})

test('events of clients', () => {
  const { stdout, stderr } = run('client_events.js', '40')
  const lines = stdout.trim().split('\n')
  const first = lines.filter((line) => /^first answer of a connection: 200, \d headers$/.test(line))
  // One that connects late may find nothing left to send.
  assert.ok(first.length >= 1 && first.length <= 4, stdout)
  assert.strictEqual(lines[0], 'start')
  assert.match(stdout, /^tick: [1-9]\d* answers, [1-9]\d* bytes$/m)
  assert.match(lines.at(-1), new RegExp('^4 connections, 40 answers, ' +
    `${40 * 'hello world'.length} bytes of bodies, the slowest after [\\d.]+ ms$`))
  assert.strictEqual(stderr, '')
})

test('a flow: every catalog was asked for with an id that the server had given out', () => {
  const { stdout } = run('flow.js', '100')
  const made = /^the server made (\d+) products and (\d+) catalogs; (\d+) catalogs /m.exec(stdout)
  const [products, catalogs, unknown] = made.slice(1).map(Number)
  assert.strictEqual(products + catalogs, 100)
  // Each of the ten connections may end on a product.
  assert.ok(products >= catalogs && products <= catalogs + 10, made[0])
  assert.strictEqual(unknown, 0)
  assert.match(stdout, /^100 requests in /m)
  assert.doesNotMatch(stdout, /non 2xx|errors|reset/)
})

test('before and after', (t) => {
  if (!fs.existsSync(path.join(NPM, 'express'))) {
    t.skip('no express in build/npm: tools/bootstrap.sh test brings it')
    return
  }
  const { stdout, stderr } = run('before_and_after.js', '1')
  assert.match(stdout, /^Before, pbkdf2Sync:.*^After, pbkdf2 with a callback:/ms)
  assert.strictEqual(stdout.match(/│ Latency │/g).length, 2)
  assert.doesNotMatch(stdout, /non 2xx|errors/)
  const line = /^Meanwhile .* took ([\d.]+) ms \(median\), at most [\d.]+ ms$/gm
  const medians = [...stdout.matchAll(line)].map((match) => Number(match[1]))
  assert.strictEqual(medians.length, 2, stdout)
  assert.ok(medians[1] < medians[0], `${medians[0]} ms before, ${medians[1]} ms after`)
  assert.strictEqual(stderr, '')
})
