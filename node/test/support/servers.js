'use strict'

// Servers on loopback for the tests. Each closes itself when its test is over.

const http = require('http')
const net = require('net')

/**
 * An HTTP server that keeps what it was asked.
 * @param {import('node:test').TestContext} t
 * @param {(request: http.IncomingMessage & {body: string}, response: http.ServerResponse) => void}
 *     [answer] default: 200 with the body "hello"
 * @returns {Promise<{url: string, port: number, seen: {method: string, url: string,
 *     headers: object, rawHeaders: string[], body: string}[], connections: number}>}
 */
async function httpServer(t, answer = (request, response) => response.end('hello')) {
  const facts = { url: '', port: 0, seen: [], connections: 0, open: 0 }
  const server = http.createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part) => { body += part })
    request.on('end', () => {
      const { method, url, headers, rawHeaders } = request
      facts.seen.push({ method, url, headers, rawHeaders, body })
      request.body = body
      answer(request, response)
    })
  })
  return listening(t, server, facts)
}

/**
 * A server that is given the sockets.
 * @param {import('node:test').TestContext} t
 * @param {(socket: net.Socket) => void} serve
 */
function rawServer(t, serve) {
  return listening(t, net.createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  }), { url: '', port: 0, connections: 0, open: 0 })
}

/**
 * @param {import('node:test').TestContext} t
 * @param {net.Server} server
 * @param {object} facts gets url, port and the count of connections
 * @param {string} [scheme]
 */
async function listening(t, server, facts, scheme = 'http') {
  const sockets = new Set()
  server.on('connection', (socket) => {
    facts.connections += 1
    facts.open += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      facts.open -= 1
      sockets.delete(socket)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  facts.port = server.address().port
  facts.url = `${scheme}://localhost:${facts.port}`
  return facts
}

/** @returns {Promise<number>} a port of loopback on which nobody listens */
async function closedPort() {
  const server = net.createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

module.exports = { httpServer, rawServer, listening, closedPort }
