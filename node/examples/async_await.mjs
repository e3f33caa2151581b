// One run after the other, awaited, from an ES module:  node async_await.mjs [SECONDS]

import carronade, { printResult } from 'carronade'
import serverProcess from './server_process.js'

const duration = process.argv[2] || 1
const server = await serverProcess.startServer('hello_server.js')

try {
  for (const pipelining of [1, 10]) {
    const result = await carronade({ url: server.url, pipelining, duration })
    console.log(`${pipelining} on their way at once on each connection:`)
    console.log(printResult(result, { outputStream: process.stdout }))
  }
  // What is wrong with the options comes as a rejection.
  await carronade({ url: server.url, connections: 10, amount: 5 })
} catch (error) {
  console.log(`not run: ${error.message}`)
} finally {
  server.stop()
}
