'use strict'

// Programs as the documentation of loadtest shows them, with one word changed: the package.

const assert = require('assert')
const fs = require('fs')
const os = require('os')
const path = require('path')
const { execFile } = require('child_process')
const { test } = require('node:test')

const ROOT = path.join(__dirname, '..')

// A folder in which `carronade` is installed, as far as Node's resolver is concerned.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'carronade-samples-'))
process.on('exit', () => fs.rmSync(folder, { recursive: true }))
fs.mkdirSync(path.join(folder, 'node_modules'))
fs.symlinkSync(ROOT, path.join(folder, 'node_modules', 'carronade'))
fs.writeFileSync(path.join(folder, 'package.json'), '{"type": "module"}')

/** Runs a module; gives what it printed. */
function run(name, text, { code = 0 } = {}) {
  const file = path.join(folder, name)
  fs.writeFileSync(file, text)
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [file], { cwd: folder, timeout: 60000 }, (error, out, err) => {
      const found = error ? error.code : 0
      if (found === code) resolve(out + err)
      else reject(new Error(`${name} ended with ${found}: ${out}${err}`))
    })
  })
}

test('a test as a promise, with its report', async () => {
  const out = await run('promise.js', `
    import {loadTest, startServer} from 'carronade/loadtest'
    const server = await startServer({port: 0, quiet: true})
    const options = {url: 'http://localhost:' + server.port, maxRequests: 200, quiet: true}
    const result = await loadTest(options)
    result.show()
    await server.close()
    console.log('Tests run successfully')`)
  assert.match(out, /^\nTarget URL: {10}http:\/\/localhost:\d+\nMax requests: {8}200\n/)
  assert.match(out, /\nCompleted requests: {2}200\nTotal errors: {8}0\n/)
  assert.match(out, /\nTests run successfully\n$/)
})

test('a test with callbacks', async () => {
  const out = await run('callback.cjs', `
    const {loadTest, startServer} = require('carronade/loadtest')
    const server = startServer({port: 0, quiet: true}, (error) => {
      if (error) throw error
      loadTest({
        url: 'http://localhost:' + server.port, maxRequests: 100, concurrency: 10, method: 'POST',
        body: {hi: 'there'}, quiet: true
      }, (error, result) => {
        if (error) throw error
        server.close((error) => {
          if (error) throw error
          console.log('Test result: ' + JSON.stringify(result))
        })
      })
    })`)
  const result = JSON.parse(out.replace(/^Test result: /, ''))
  assert.deepStrictEqual([result.totalRequests, result.totalErrors, result.clients], [100, 0, 10])
  assert.strictEqual(result.carronade.state, undefined)
})

test('the default import, errors by code, and statusCallback', async () => {
  const out = await run('errors.mjs', `
    import loadtest from 'carronade/loadtest'
    const server = await loadtest.startServer({port: 0, error: 500, percent: 25, quiet: true})
    const indices = []
    const result = await loadtest.loadTest({
      url: 'http://localhost:' + server.port, maxRequests: 100, quiet: true,
      statusCallback(error, result) {
        if (error && error !== 'Status code 500') throw new Error(error)
        indices.push(result.requestIndex)
      }
    })
    await server.close()
    console.log(JSON.stringify(result.errorCodes), indices.length, indices.at(-1))`)
  assert.strictEqual(out, '{"500":25} 100 99\n')
})

test('a request generator with labels, against a server that checks', async () => {
  const out = await run('generator.js', `
    import {loadTest, startServer} from 'carronade/loadtest'
    const server = await startServer({
      port: 0, quiet: true,
      shouldErrorCustom: (request) => request.body !== '{"hi": "ho"}' ||
        request.headers['content-type'] !== 'application/json' ||
        request.headers['content-length'] !== String(request.body.length)
    })
    let labels = 0
    const result = await loadTest({
      url: 'http://localhost:' + server.port, method: 'POST', body: '', requestsPerSecond: 500,
      maxRequests: 100, concurrency: 5, quiet: true,
      requestGenerator: (params, options, client, callback) => {
        const message = '{"hi": "ho"}'
        options.headers['Content-Length'] = message.length
        options.headers['Content-Type'] = 'application/json'
        options.body = 'YourPostData'
        options.path = '/YourURLPath'
        const request = client(options, callback)
        request.labels = 'mine'
        request.write(message)
        return request
      },
      statusCallback: (error, result) => { labels += result.labels === 'mine' }
    })
    await server.close()
    console.log(result.totalRequests, result.totalErrors, labels)`)
  assert.strictEqual(out, '100 0 100\n')
})

test('no two requests have the same index', async () => {
  const out = await run('index.js', `
    import {loadTest, startServer} from 'carronade/loadtest'
    const urls = new Set()
    const bodies = new Set()
    const server = await startServer({port: 0, quiet: true, logger(request) {
      urls.add(request.url)
      bodies.add(request.body)
    }})
    await loadTest({
      url: 'http://localhost:' + server.port + '/?param=index', maxRequests: 100, concurrency: 10,
      postBody: {hi: 'my_index'}, indexParam: 'index', quiet: true
    })
    await server.close()
    console.log(urls.size, bodies.size)`)
  assert.strictEqual(out, '100 100\n')
})

test('the delay of the server is in the latency', async () => {
  const out = await run('delay.js', `
    import {loadTest, startServer} from 'carronade/loadtest'
    const server = await startServer({port: 0, delay: 10, quiet: true})
    const result = await loadTest({
      url: 'http://localhost:' + server.port, maxRequests: 10, quiet: true
    })
    await server.close()
    console.log(result.totalRequests, result.minLatencyMs >= 9.5, result.meanLatencyMs >= 9.5)`)
  assert.strictEqual(out, '10 true true\n')
})
