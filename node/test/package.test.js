'use strict'

// The tarball as a user gets it: installed into an empty folder without scripts and without the
// network, then used by each Node that the package is for.

const test = require('node:test')
const assert = require('node:assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { execFileSync } = require('child_process')

const ROOT = path.join(__dirname, '..', '..')
const BUILD = process.env.CARRONADE_BUILD
const SKIP = BUILD ? false : 'CARRONADE_BUILD names no build: run it with ctest'

/** Node 18, 20, 22 as tools/bootstrap.sh installs them, or the one that runs this. */
function nodes(t) {
  const found = ['node18', 'node20', 'node22']
    .map((name) => path.join(ROOT, 'build/npm/node_modules', name, 'bin/node'))
    .filter((file) => fs.existsSync(file))
  if (found.length === 3) return found
  t.diagnostic(`only ${found.length} of Node 18, 20, 22 are in build/npm: tools/bootstrap.sh test`)
  return found.length > 0 ? found : [process.execPath]
}

const USE = `
  const http = require('http')
  const server = http.createServer((request, response) => response.end('hello'))
  server.listen(0, '127.0.0.1', async () => {
    const url = 'http://127.0.0.1:' + server.address().port
    const plain = await carronade({ url, amount: 20 })
    let heard = 0
    const hooked = carronade({ url, amount: 20, setupClient: (client) => {
      client.on('body', () => { ++heard })
    } })
    const result = await hooked
    console.log(plain['2xx'], result['2xx'], heard, typeof carronade.track)
    server.close()
  })`

const LOADTEST = `
  import { loadTest, startServer } from 'carronade/loadtest'
  import { createRequire } from 'module'
  const required = createRequire(process.cwd() + '/x.js')('carronade/loadtest')
  const server = await startServer({ port: 0, quiet: true })
  const url = 'http://localhost:' + server.port
  const plain = await loadTest({ url, maxRequests: 20, quiet: true })
  const made = await required.loadTest({
    url, maxRequests: 20, quiet: true,
    requestGenerator: (params, options, client, callback) => client(options, callback)
  })
  const messages = await loadTest({
    url: 'ws://localhost:' + server.port, maxRequests: 30, quiet: true
  })
  console.log(plain.totalRequests, made.totalRequests, messages.totalRequests, messages.totalErrors)
  await server.close()`

test('the tarball', { skip: SKIP }, async (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-package-'))
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }))
  // A variable of the tests would lead the package to another addon than its own.
  const env = { ...process.env }
  for (const name of ['CARRONADE_ADDON', 'CARRONADE_BINARY', 'NODE_PATH']) delete env[name]
  const options = { cwd: folder, env, encoding: 'utf8', timeout: 60000 }
  const packed = execFileSync(path.join(ROOT, 'tools/pack_npm.sh'), [BUILD, folder], options)
  const tarball = packed.trim()
  const version = require('../package.json').version
  assert.strictEqual(path.basename(tarball), `carronade-${version}.tgz`)

  await t.test('holds what is needed and nothing else', () => {
    const names = execFileSync('tar', ['tzf', tarball], options).trim().split('\n')
    const places = new Set(names.map((name) => name.split('/').slice(0, 2).join('/')))
    assert.deepStrictEqual([...places].sort(), [
      'package/LICENSE', 'package/README.md', 'package/bin', 'package/index.d.ts',
      'package/index.js', 'package/index.mjs', 'package/lib', 'package/loadtest.d.ts',
      'package/loadtest.js', 'package/loadtest.mjs', 'package/node_modules',
      'package/package.json', 'package/prebuilt'
    ])
    const unused = names.filter((name) => /node_modules.*\/(?:test|example)\//.test(name))
    assert.deepStrictEqual(unused, [])
  })

  fs.writeFileSync(path.join(folder, 'package.json'), '{"private": true}')
  execFileSync('npm', ['install', tarball, '--ignore-scripts', '--offline', '--no-audit',
    '--no-fund', `--cache=${path.join(folder, 'cache')}`], options)
  const installed = path.join(folder, 'node_modules', 'carronade')
  assert.strictEqual(require(path.join(installed, 'package.json')).version, version)

  for (const node of nodes(t)) {
    const name = execFileSync(node, ['--version'], options).trim()
    const run = (words) => execFileSync(node, words, options).trim()
    const required = `const carronade = require('carronade');${USE}`
    const inWorker = `const { Worker } = require('worker_threads')
      new Worker(${JSON.stringify(required)}, { eval: true })`
    const module = `import carronade from 'carronade'
      import { createRequire } from 'module'
      const require = createRequire(process.cwd() + '/x.js');${USE}`

    await t.test(`require in Node ${name}`, () => {
      assert.strictEqual(run(['-e', required]), '20 20 20 function')
    })
    await t.test(`import in Node ${name}`, () => {
      assert.strictEqual(run(['--input-type=module', '-e', module]), '20 20 20 function')
    })
    await t.test(`loadtest in Node ${name}`, () => {
      assert.strictEqual(run(['--input-type=module', '-e', LOADTEST]), '20 20 30 0')
    })
    await t.test(`in a worker_thread of Node ${name}`, () => {
      assert.strictEqual(run(['-e', inWorker]), '20 20 20 function')
    })
  }

  await t.test('the command', () => {
    const command = path.join(folder, 'node_modules', '.bin', 'carronade')
    fs.writeFileSync(path.join(folder, '.loadtestrc'), 'maxRequests: 3')
    fs.writeFileSync(path.join(folder, 'body.js'), 'module.exports = () => "x"')
    const words = ['loadtest', '-p', 'body.js', '--timeout', '9000', 'http://127.0.0.1:9/']
    assert.match(execFileSync(command, words, { ...options, stdio: 'pipe' }),
      /\nTotal errors: {8}3\n/)
    assert.match(execFileSync(command, ['--version'], options), new RegExp(`carronade ${version}`))
  })
})
