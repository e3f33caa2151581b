'use strict'

// The connections of one generator test: when they stand and end, and how many bytes of them are
// this test's. A connection of an agent of the user's may have served others before.

class FollowedSockets {
  /**
   * @param {object} recorder the engine's
   * @param {number} clients connections beyond these take the place of others; 0: those beyond the
   *     ones that have gone do
   */
  constructor(recorder, clients) {
    const sockets = this
    this._recorder = recorder
    this._clients = clients
    this._opened = 0
    this._gone = 0
    // A Map of sockets would do, but for its cost: see flight_list.js.
    this._key = Symbol('what a load test knows of a connection')
    this._open = []
    // One for all connections: a socket is their `this`.
    this._onConnected = function () { sockets._follow(this) }
    this._onClose = function () { sockets._close(this) }
  }

  /**
   * From when it stands.
   * @param {import('net').Socket & {secureConnecting?: boolean}} socket
   */
  follow(socket) {
    if (socket[this._key]) return
    if (socket.secureConnecting) socket.once('secureConnect', this._onConnected)
    else if (socket.connecting) socket.once('connect', this._onConnected)
    else this._follow(socket)
  }

  /**
   * @param {import('net').Socket} socket
   * @returns {number} bytes that it has read since the last call
   */
  readBy(socket) {
    const facts = socket[this._key]
    // It was met only when its answer was here.
    if (!facts) return 0
    const bytes = socket.bytesRead - facts.read
    facts.read = socket.bytesRead
    return bytes
  }

  /** The test is over: what was sent on those that are still open. */
  finish() {
    for (const { sent, socket } of this._open) {
      this._recorder.bytesSent(socket.bytesWritten - sent)
      // An agent of the user's keeps it for others.
      socket.removeListener('close', this._onClose)
      socket[this._key] = undefined
    }
    this._open = []
  }

  _follow(socket) {
    if (socket[this._key]) return
    const { bytesRead: read, bytesWritten: sent } = socket
    socket[this._key] = { socket, read, sent, at: this._open.length }
    this._open.push(socket[this._key])
    const again = this._clients > 0 ? this._opened >= this._clients : this._gone > 0
    if (this._gone > 0) this._gone -= 1
    this._opened += 1
    this._recorder.opened(again)
    socket.once('close', this._onClose)
  }

  _close(socket) {
    const facts = socket[this._key]
    if (!facts) return
    const last = this._open.pop()
    if (last !== facts) {
      this._open[facts.at] = last
      last.at = facts.at
    }
    this._gone += 1
    this._recorder.bytesSent(socket.bytesWritten - facts.sent)
    this._recorder.closed()
  }
}

module.exports = { FollowedSockets }
