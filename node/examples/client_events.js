'use strict'

// A look at each connection and at each answer:  node client_events.js [REQUESTS]
// Each connection sends a header of its own and counts the bytes of the bodies.

const carronade = require('carronade')
const { startServer } = require('./server_process')

const CONNECTIONS = 4
const amount = Number(process.argv[2] || 1000)

async function main() {
  const server = await startServer('hello_server.js')
  let connections = 0
  let bodyBytes = 0
  let slowest = 0

  // Called for each connection before anything is sent.
  function setupClient(client) {
    connections += 1
    client.setHeaders({ 'X-Connection': String(connections) })
    client.once('headers', ({ statusCode, headers }) => {
      console.log(`first answer of a connection: ${statusCode}, ${headers.length / 2} headers`)
    })
    client.on('body', (chunk) => { bodyBytes += chunk.length })
  }

  const run = carronade({ url: server.url, connections: CONNECTIONS, amount, setupClient })
  run.on('start', () => console.log('start'))
  run.on('tick', ({ counter, bytes }) => console.log(`tick: ${counter} answers, ${bytes} bytes`))
  run.on('response', (client, statusCode, resBytes, responseTime) => {
    slowest = Math.max(slowest, responseTime)
  })
  run.on('reqError', (error) => console.log(`lost: ${error.message}`))
  run.on('done', () => console.log('done'))

  const result = await run
  server.stop()
  console.log(`${connections} connections, ${result.requests.total} answers, ` +
    `${bodyBytes} bytes of bodies, the slowest after ${slowest.toFixed(3)} ms`)
}

main()
