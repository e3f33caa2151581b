'use strict'

// An Express route that hashes a password, first on the loop's thread and then beside it.
//   node before_and_after.js [SECONDS OF EACH RUN]      (needs express: npm install express)
//
// How to read the two tables
//
// Req/Sec  Before, one thread hashes, so this is 1 / (time of one hash), however many ask. After,
//          hashes are made in libuv's pool (4 threads, see UV_THREADPOOL_SIZE): up to as many
//          times more as there are free cores. On one core it stays the same, as no work is gone.
// Latency  Requests wait for each other: its average is about connections / (Req/Sec), before as
//          after. So it falls as far as Req/Sec rises and not further: an average alone
//          does not tell that anything was blocked.
//
// The line below each table does tell. While the hashes are asked for, another run asks 5 times a
// second for a page without work. Before, it waits for the hashes in front of it; after, it is
// answered at once. That is what the change is for: the others.

const carronade = require('carronade')
const { startServer } = require('./server_process')

const duration = process.argv[2] || 2

async function measure(title, file) {
  const server = await startServer(file)
  // Both runs at the same time, in one process.
  const [other, login] = await Promise.all([
    carronade({ url: server.url, connections: 2, overallRate: 5, duration }),
    carronade({ url: `${server.url}/login`, connections: 8, duration })
  ])
  server.stop()
  console.log(`${title}:`)
  console.log(carronade.printResult(login, { outputStream: process.stdout }).trim())
  console.log(`Meanwhile a page without work took ${milliseconds(other.latency.p50)} (median), ` +
    `at most ${milliseconds(other.latency.max)}\n`)
}

const milliseconds = (value) => `${value.toFixed(1)} ms`

async function main() {
  await measure('Before, pbkdf2Sync', 'hash_sync_server.js')
  await measure('After, pbkdf2 with a callback', 'hash_async_server.js')
}

try {
  require.resolve('express')
  main()
} catch (error) {
  console.error('This example needs express: npm install express')
  process.exitCode = 1
}
