'use strict'

// The servers of this folder run in a process of their own, as a server under test does: in the
// same one they would share a thread with the load, and both would measure each other.

const { fork } = require('child_process')
const path = require('path')

/**
 * @param {string} file a server of this folder
 * @returns {Promise<{url: string, stop: () => void}>} when it listens; rejects when it cannot
 */
function startServer(file) {
  const child = fork(path.join(__dirname, file))
  return new Promise((resolve, reject) => {
    child.once('message', ({ url }) => resolve({ url, stop: () => child.kill() }))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)))
  })
}

/**
 * For the server: listens on a free port of loopback and tells its URL, to startServer() or to
 * whoever started it by hand.
 * @param {import('http').Server} server
 */
function listenOnLoopback(server) {
  server.listen(0, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${server.address().port}`
    if (!process.send) {
      console.log(url)
      return
    }
    process.once('disconnect', () => process.exit())
    process.send({ url })
  })
}

module.exports = { startServer, listenOnLoopback }
