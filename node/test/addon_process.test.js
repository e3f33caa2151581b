'use strict'

// The binding as part of a process: what a run leaves behind, and ends in the middle of one.

const test = require('node:test')
const assert = require('node:assert')
const fs = require('fs')
const http = require('http')
const path = require('path')
const { once } = require('events')
const { execFileSync, spawn, spawnSync } = require('child_process')
const { Worker } = require('worker_threads')
const { listen, run } = require('./support/addon_run')

const FIXTURE = path.join(__dirname, 'fixtures', 'addon_worker.js')

const hello = () => http.createServer((request, response) => response.end('hello'))
const spec = (url, more = {}) => ({ targets: [{ url }], amount: 40, connections: 4, ...more })

const descriptors = () => fs.readdirSync('/proc/self/fd').length
const threads = () => fs.readdirSync('/proc/self/task').length

test('many short runs leave no thread and no descriptor behind', async (t) => {
  const url = await listen(t, hello())
  const some = async (count) => {
    for (let i = 0; i < count; ++i) {
      const result = await run(spec(url, { amount: 2, connections: 1 }), {}, i % 2 === 0)
      assert.strictEqual(result['2xx'], 2)
    }
  }
  await some(20)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const before = [descriptors(), threads()]
  await some(300)
  // The server's ends of the last connections may still be closing.
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.ok(descriptors() <= before[0] + 2, `${descriptors()} descriptors, were ${before[0]}`)
  assert.ok(threads() <= before[1] + 1, `${threads()} threads, were ${before[1]}`)
})

/** Runs a piece of JavaScript in a Node of its own, with the binding and a server's URL. */
function inNode(url, code) {
  const head = `const binding = require(${JSON.stringify(require.resolve('../lib/native'))})
    const url = ${JSON.stringify(url)}\n`
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', head + code])
    const timer = setTimeout(() => child.kill('SIGKILL'), 20000)
    let output = ''
    child.stdout.on('data', (text) => { output += text })
    child.stderr.on('data', (text) => { output += text })
    child.on('error', reject)
    child.on('close', (status, signal) => {
      clearTimeout(timer)
      resolve({ status, signal, output })
    })
  })
}

test('the process ends by itself when the run is over, and not before', async (t) => {
  const url = await listen(t, hello())
  for (const inLoop of [true, false]) {
    const { status, output } = await inNode(url, `
      const spec = { targets: [{ url }], durationMs: 300 }
      const over = (state) => console.log('over', state.length > 0)
      new binding.Engine(spec, {}).run(${inLoop}, over)`)
    assert.strictEqual(output, 'over true\n')
    assert.strictEqual(status, 0)
  }
})

test('an engine that never runs keeps nothing alive', async (t) => {
  const { status, output } = await inNode('http://127.0.0.1:1/',
    'new binding.Engine({ targets: [{ url }], durationMs: 1000 }, { next() {} })')
  assert.deepStrictEqual([status, output], [0, ''])
})

test('process.exit() in the middle of a run', async (t) => {
  const url = await listen(t, hello())
  for (const inLoop of [true, false]) {
    const { status, signal, output } = await inNode(url, `
      new binding.Engine({ targets: [{ url }], durationMs: 60e3 }, {}).run(${inLoop}, () => {})
      setTimeout(() => process.exit(7), 150)`)
    assert.deepStrictEqual([status, signal, output], [7, null, ''])
  }
})

test('an exception in a hook is an uncaughtException at once, and the run goes on', async (t) => {
  const url = await listen(t, hello())
  for (const [hook, sent] of [['response', 40], ['loss', 40]]) {
    const target = hook === 'loss' ? 'http://127.0.0.1:1/' : url
    const { status, output } = await inNode(target, `
      const caught = []
      process.on('uncaughtException', (error) => caught.push(error.message))
      const spec = { targets: [{ url }], amount: ${sent}, connections: 2, timeoutMs: 200 }
      const hooks = { ${hook}() { throw new Error('mine') } }
      new binding.Engine(spec, hooks).run(true, (state) => {
        console.log(caught.length > 1, caught.every((text) => text === 'mine'))
      })`)
    assert.deepStrictEqual([status, output], [0, 'true true\n'])
  }
  const end = await inNode(url, `
    const hooks = { response() { throw new Error('mine') } }
    new binding.Engine({ targets: [{ url }], durationMs: 60e3 }, hooks).run(true, () => {})`)
  assert.strictEqual(end.status, 1)
  assert.match(end.output, /Error: mine/)
})

test('next() that gives something else is a TypeError and the end', async (t) => {
  const url = await listen(t, hello())
  const { status, output } = await inNode(url, `
    process.on('uncaughtException', (error) => console.log(error.name, error.message))
    const hooks = { next: () => 7 }
    const spec = { targets: [{ url }], durationMs: 60e3, connections: 1 }
    new binding.Engine(spec, hooks).run(true, () => console.log('over'))`)
  assert.strictEqual(status, 0)
  assert.match(output, /^TypeError next\(\) must return a string, a Buffer or null\nover\n$/)
})

test('memory is steady over many requests with hooks', async (t) => {
  const url = await listen(t, hello())
  const { output } = await inNode(url, `
    const request = 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'
    const hooks = { next: () => request, response() {}, heads: true, bodies: 'string' }
    const runOnce = (left, sizes) => {
      if (left === 0) return console.log(JSON.stringify(sizes))
      const spec = { targets: [{ url }], amount: 4000, pipelining: 20 }
      new binding.Engine(spec, hooks).run(true, () => {
        global.gc?.()
        runOnce(left - 1, [...sizes, process.memoryUsage().rss])
      })
    }
    require('v8').setFlagsFromString('--expose-gc')
    global.gc = require('vm').runInNewContext('gc')
    runOnce(12, [])`)
  const sizes = JSON.parse(output)
  const grown = sizes.at(-1) - sizes[3]
  assert.ok(grown < 16e6, `grown by ${grown} bytes over eight runs: ${sizes}`)
})

test('an engine is let go, though its hooks speak of it', async (t) => {
  const url = await listen(t, hello())
  const { status, output } = await inNode(url, `
    require('v8').setFlagsFromString('--expose-gc')
    const gc = require('vm').runInNewContext('gc')
    let left = 0
    const registry = new FinalizationRegistry(() => { --left })
    const make = (run) => {
      ++left
      const hooks = { response() { return engine.warnings }, next() { return engine.text } }
      const engine = new binding.Engine({ targets: [{ url }], durationMs: 1000 }, hooks)
      registry.register(engine)
      if (run) engine.run(true, () => {})
    }
    for (let i = 0; i < 20; ++i) make(i % 2 === 0)
    const look = (tries) => {
      gc()
      if (left === 0 || tries === 0) return console.log('left', left)
      setTimeout(look, 50, tries - 1)
    }
    setTimeout(look, 100, 100)`)
  assert.deepStrictEqual([status, output], [0, 'left 0\n'])
})

test('in a worker_thread: both ways, and terminated in the middle', async (t) => {
  const url = await listen(t, hello())
  for (const inLoop of [true, false]) {
    const whole = new Worker(FIXTURE, { workerData: { url, inLoop, spec: { amount: 40 } } })
    const exited = once(whole, 'exit') // listened for now: it may come with the message
    const [document] = await once(whole, 'message')
    assert.strictEqual(JSON.parse(document)['2xx'], 40)
    await exited

    const cut = new Worker(FIXTURE, { workerData: { url, inLoop, spec: { durationMs: 60e3 } } })
    await once(cut, 'online')
    await new Promise((resolve) => setTimeout(resolve, 200))
    const start = Date.now()
    await cut.terminate()
    assert.ok(Date.now() - start < 2000)
  }
})

test('the addon shows nothing but its registration', { skip: !onPath('nm') }, () => {
  const file = process.env.CARRONADE_ADDON ?? path.join(__dirname, '../prebuilt/carronade.node')
  const symbols = execFileSync('nm', ['-D', '--defined-only', file], { encoding: 'utf8' })
  const names = symbols.split('\n').filter((line) => / [TWDBRVui] /.test(line))
  assert.deepStrictEqual(names.map((line) => line.split(' ')[2].split('@')[0]).sort(),
    ['napi_register_module_v1', 'node_api_module_get_api_version_v1'])
})

function onPath(command) {
  return spawnSync(command, ['--version']).status === 0
}
