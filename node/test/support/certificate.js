'use strict'

// A certificate of our own for localhost, made when a test needs one.

const { execFileSync } = require('child_process')
const fs = require('fs')
const os = require('os')
const path = require('path')

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-cert-'))
const file = (name) => path.join(folder, name)
execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
  '-nodes', '-keyout', file('key'), '-out', file('cert'), '-days', '2', '-subj', '/CN=localhost'],
{ stdio: 'ignore' })

/** PEM texts. */
module.exports = {
  certificate: fs.readFileSync(file('cert'), 'utf8'),
  key: fs.readFileSync(file('key'), 'utf8')
}
fs.rmSync(folder, { recursive: true })
