'use strict'

// For the tests of the binding itself.

const assert = require('assert')
const { once } = require('events')
const binding = require('../../lib/native')

/** Listens until the test is over; gives the URL. */
async function listen(t, server) {
  const sockets = new Set()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${server.address().port}/`
}

/** Runs an engine to its end; gives the document, and the engine in it. */
function run(spec, hooks = {}, inLoop = false, during = () => {}) {
  return new Promise((resolve) => {
    const engine = new binding.Engine(spec, hooks)
    engine.run(inLoop, (state) => {
      assert.ok(Buffer.isBuffer(state))
      const urls = spec.targets.map((target) => target.url)
      resolve({ engine, state, ...JSON.parse(binding.resultDocument([state], { urls })) })
    })
    during(engine)
  })
}

module.exports = { listen, run }
