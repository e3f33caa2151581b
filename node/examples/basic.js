'use strict'

// The basic run, with a callback:  node basic.js [SECONDS]

const carronade = require('carronade')
const { startServer } = require('./server_process')

const duration = process.argv[2] || 2

async function main() {
  const server = await startServer('hello_server.js')
  const run = carronade({ url: server.url, connections: 10, duration }, (error, result) => {
    server.stop()
    if (error) throw error
    console.log(`${result.requests.total} answers in ${result.duration} s, ` +
      `${result.latency.p99} ms at the 99th percentile`)
  })
  // Header and report, on standard error.
  carronade.track(run, { renderLatencyTable: true })
}

main()
