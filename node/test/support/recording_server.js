'use strict'

const http = require('http')

/**
 * A server in this process that keeps what it was asked.
 * @param {(request: object, response: http.ServerResponse) => void} [answer] default: 200 "ok".
 *   The request has `body`, a Buffer
 * @returns {Promise<{url: string, asked: object[], sockets: Set, close: () => void}>}
 */
function startServer(answer = (request, response) => response.end('ok')) {
  const asked = []
  const sockets = new Set()
  const server = http.createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      const seen = { method, url, headers, body: Buffer.concat(chunks) }
      asked.push(seen)
      answer(seen, response)
    })
  })
  server.on('connection', (socket) => sockets.add(socket))
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}`, asked, sockets, close })
    })
  })
}

module.exports = { startServer }
