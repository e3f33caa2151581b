'use strict'

// Certificates as Buffers on their way into worker threads.

const assert = require('assert')
const https = require('https')
const path = require('path')
const { execFileSync } = require('child_process')
const { test } = require('node:test')
const carronade = require('..')
const { certificate, key } = require('./support/certificate')

const SETUP_CLIENT = path.join(__dirname, 'fixtures', 'workers', 'setup_client.js')

function pkcs12(passphrase) {
  return execFileSync('openssl', ['pkcs12', '-export', '-passout', `pass:${passphrase}`],
    { input: `${key}\n${certificate}` })
}

// The common names of the certificates that the requests came with.
async function clientsOf(tlsOptions) {
  const clients = []
  const server = https.createServer(
    { cert: certificate, key, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      clients.push((request.socket.getPeerCertificate().subject || {}).CN)
      response.end()
    })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const result = await carronade({
      url: `https://127.0.0.1:${server.address().port}`,
      connections: 2,
      amount: 4,
      workers: 2,
      setupClient: SETUP_CLIENT,
      tlsOptions
    })
    assert.strictEqual(result['2xx'], 4)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  return clients
}

test('a client certificate survives', async () => {
  const four = Array(4).fill('localhost')
  assert.deepStrictEqual(
    await clientsOf({ cert: Buffer.from(certificate), key: Buffer.from(key) }), four)
  assert.deepStrictEqual(
    await clientsOf({ pfx: pkcs12('secret'), passphrase: 'secret' }), four)
  assert.deepStrictEqual(await clientsOf(undefined), Array(4).fill(undefined))
})
