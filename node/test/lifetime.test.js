'use strict'

// Runs that are stopped, repeated, many at once; and what is left of them.

const test = require('node:test')
const assert = require('node:assert')
const { spawnSync } = require('child_process')
const fs = require('fs')
const v8 = require('v8')
const vm = require('vm')
const carronade = require('..')
const { httpServer, rawServer } = require('./support/servers')

const BOTH_WAYS = [{}, { setupClient() {} }]
const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Stops a run when the server has heard so much of it that answers have come back. */
async function stopUnderWay(tracker, { seen }) {
  const before = seen.length
  while (seen.length < before + 20) await delay(10)
  tracker.stop()
}

test('stop ends a run, at any time', async (t) => {
  const server = await httpServer(t)
  const { url } = server
  for (const more of BOTH_WAYS) {
    const opts = { url, duration: 30, connections: 2, ...more }
    const later = carronade(opts)
    stopUnderWay(later, server)
    const result = await later
    assert.ok(result.duration < 10 && result.requests.total > 0)
    const atOnce = carronade(opts)
    atOnce.stop()
    assert.strictEqual((await atOnce).requests.total, 0)
    const atStart = carronade(opts)
    atStart.on('start', () => atStart.stop())
    assert.ok((await atStart).duration < 5)
    const fromTick = carronade({ ...opts, sampleInt: 50 })
    fromTick.on('tick', () => fromTick.stop())
    assert.ok((await fromTick).duration < 5)
    fromTick.stop()
  }
})

test('stop from within a response listener', async (t) => {
  const { url } = await httpServer(t)
  const tracker = carronade({ url, duration: 30, connections: 2 })
  let heard = 0
  tracker.on('response', () => {
    heard += 1
    if (heard === 5) tracker.stop()
  })
  const result = await tracker
  assert.ok(result.duration < 5)
  assert.strictEqual(result.requests.total, heard)
})

test('forever: a round after another, until stop', async (t) => {
  const { url } = await httpServer(t)
  for (const more of BOTH_WAYS) {
    const tracker = carronade({ url, forever: true, connections: 2, amount: 10, ...more })
    assert.strictEqual(tracker.then, undefined)
    const events = []
    tracker.on('start', () => events.push('start'))
    await new Promise((resolve) => tracker.on('done', (result) => {
      events.push(`done ${result['2xx']}`)
      if (events.length < 6) return
      tracker.stop()
      resolve()
    }))
    await delay(50)
    assert.deepStrictEqual(events, Array(3).fill(['start', 'done 10']).flat())
  }
})

test('warmup: a run of its own before, whose result is in the result', async (t) => {
  const server = await httpServer(t)
  const warmup = { connections: 1, amount: 3 }
  const opts = { url: server.url, connections: 2, amount: 10, warmup }
  for (const more of BOTH_WAYS) {
    const events = []
    const tracker = carronade({ ...opts, ...more })
    tracker.on('start', () => events.push(`start ${server.seen.length}`))
    const result = await tracker
    assert.strictEqual(result['2xx'], 10)
    assert.strictEqual(result.warmup['2xx'], 3)
    assert.strictEqual(result.warmup.connections, 1)
    assert.deepStrictEqual(events, ['start 3'])
    server.seen.length = 0
  }
  const short = carronade({ ...opts, amount: undefined, duration: 30, warmup: { duration: 30 } })
  stopUnderWay(short, server)
  const result = await short
  assert.ok(result.warmup.requests.total > 0 && result.requests.total === 0)
  const timed = await carronade({ ...opts, warmup: { duration: 0.2 } })
  assert.ok(timed.warmup.duration < 2 && timed['2xx'] === 10)
})

test('an answer after the end raises nothing', async (t) => {
  const sockets = []
  const { url } = await rawServer(t, (socket) => {
    sockets.push(socket)
    socket.on('data', () => {
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 400)
    })
  })
  let late = 0
  for (const more of BOTH_WAYS) {
    const tracker = carronade({ url, connections: 1, duration: 0.2, ...more })
    const result = await tracker
    tracker.on('response', () => { late += 1 })
    assert.strictEqual(result.requests.total, 0)
  }
  await delay(500)
  assert.strictEqual(late, 0)
})

test('ten runs at once, each with its own numbers', async (t) => {
  const server = await httpServer(t, (request, response) => response.end(request.url))
  const results = await Promise.all(Array.from({ length: 10 }, (_, i) => carronade({
    url: `${server.url}/${i}`,
    connections: 2,
    amount: 20 + i,
    ...(i % 2 ? { verifyBody: (body) => body === `/${i}` } : {})
  })))
  for (const [i, result] of results.entries()) {
    assert.strictEqual(result['2xx'], 20 + i)
    assert.strictEqual(result.mismatches, 0)
  }
})

test('runs leave no thread, descriptor or memory behind', async (t) => {
  const server = await httpServer(t)
  const { url } = server
  const count = (what) => fs.readdirSync(`/proc/self/${what}`).length
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  const memory = () => {
    collect()
    return process.memoryUsage()
  }
  const some = async () => {
    for (const more of [...BOTH_WAYS, { workers: 2 }]) {
      await carronade({ url, connections: 20, amount: 400, ...more })
    }
    server.seen.length = 0
    await delay(20)
  }
  for (let i = 0; i < 5; ++i) await some()
  const before = { fd: count('fd'), task: count('task'), memory: memory() }
  for (let i = 0; i < 20; ++i) await some()
  await delay(100)
  assert.ok(count('fd') <= before.fd + 2, `${before.fd} → ${count('fd')} descriptors`)
  assert.ok(count('task') <= before.task, `${before.task} → ${count('task')} threads`)
  const after = memory()
  const grown = (key) => (after[key] - before.memory[key]) / 1e6
  // A run that is kept is about 23 kB.
  assert.ok(grown('heapUsed') < 0.7, `${grown('heapUsed')} MB more of JavaScript`)
  assert.ok(grown('rss') < 30, `${grown('rss')} MB more`)
})

test('the process exits by itself when the run is over', () => {
  for (const more of ['', 'setupClient() {},', 'workers: 2,', 'forever: true,']) {
    const script = `
      const carronade = require(${JSON.stringify(require.resolve('..'))})
      const server = require('http').createServer((q, r) => r.end()).listen(0, () => {
        const tracker = carronade({
          url: 'http://localhost:' + server.address().port, connections: 2, ${more} amount: 20
        })
        tracker.on('done', (result) => {
          console.log(result['2xx'])
          tracker.stop()
          server.close()
          server.closeAllConnections()
        })
      })`
    const child = spawnSync(process.execPath, ['-e', script], { timeout: 20000 })
    assert.strictEqual(String(child.stderr), '', more)
    assert.strictEqual(`${child.status} ${child.stdout}`, '0 20\n', more)
  }
})

test('an exception in a listener that the run depends on is uncaught, and the run settles', () => {
  const script = `
    const carronade = require(${JSON.stringify(require.resolve('..'))})
    const uncaught = []
    process.on('uncaughtException', (error) => uncaught.push(error.message))
    const fail = (text) => () => { throw new Error(text) }
    const server = require('http').createServer((q, r) => r.end()).listen(0, async () => {
      const url = 'http://localhost:' + server.address().port
      const run = carronade({ url, connections: 1, amount: 9, setupClient: (client) => {
        client.on('done', fail('client'))
      } })
      for (const event of ['start', 'tick', 'done']) run.on(event, fail(event))
      const result = await run
      setImmediate(() => {
        console.log(result['2xx'], [...new Set(uncaught)].sort().join())
        process.exit()
      })
    })`
  const child = spawnSync(process.execPath, ['-e', script], { timeout: 20000 })
  assert.strictEqual(String(child.stdout), '9 client,done,start,tick\n')
})

test('stop is there when the options of the warm-up were wrong', async () => {
  const tracker = carronade({ url: 'http://localhost', warmup: { duration: 'x' } })
  tracker.stop()
  await assert.rejects(Promise.resolve(tracker), /could not be parsed/)
  tracker.stop()
})
