'use strict'

const test = require('node:test')
const assert = require('node:assert')
const path = require('path')
const carronade = require('..')
const { httpServer } = require('./support/servers')

test('verifyBody decides with the whole body as text', async (t) => {
  const { url } = await httpServer(t)
  const bodies = []
  const opts = { url, connections: 1, amount: 10 }
  const mismatched = []
  const tracker = carronade({ ...opts, expectBody: 'unused', verifyBody(body) {
    bodies.push(body)
    return false
  } })
  tracker.on('reqMismatch', (body) => mismatched.push(body))
  const result = await tracker
  assert.strictEqual(result.mismatches, 10)
  assert.strictEqual(result['2xx'], 10)
  assert.deepStrictEqual(bodies, Array(10).fill('hello'))
  assert.deepStrictEqual(mismatched, Array(10).fill('hello'))
  const good = await carronade({ ...opts, verifyBody: (body) => body === 'hello' })
  assert.strictEqual(good.mismatches, 0)
})

test('verifyBody as the path of a module', async (t) => {
  const { url } = await httpServer(t)
  const verifyBody = path.join(__dirname, 'fixtures', 'verify_body.js')
  const result = await carronade({ url, connections: 1, amount: 5, verifyBody })
  assert.strictEqual(result.mismatches, 5)
})

test('expectBody compares, with and without somebody who listens', async (t) => {
  const { url } = await httpServer(t)
  const opts = { url, connections: 2, amount: 10 }
  for (const more of [{}, { setupClient() {} }]) {
    assert.strictEqual((await carronade({ ...opts, expectBody: 'hello', ...more })).mismatches, 0)
    assert.strictEqual((await carronade({ ...opts, expectBody: 'hell', ...more })).mismatches, 10)
  }
  const heard = []
  const tracker = carronade({ ...opts, expectBody: 'other', setupClient(client) {
    client.on('mismatch', (body) => heard.push(`client ${body}`))
  } })
  tracker.on('reqMismatch', (body) => heard.push(body))
  assert.strictEqual((await tracker).mismatches, 10)
  assert.strictEqual(heard.length, 20)
  assert.deepStrictEqual(new Set(heard), new Set(['client hello', 'hello']))
})

test('mismatches count towards bailout', async (t) => {
  const { url } = await httpServer(t)
  for (const more of [{ expectBody: 'other' }, { verifyBody: () => false }]) {
    const result = await carronade({ url, connections: 1, duration: 20, bailout: 5, ...more })
    assert.ok(result.mismatches >= 5 && result.mismatches < 1000, String(result.mismatches))
    assert.ok(result.duration < 10)
  }
})
