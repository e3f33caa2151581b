'use strict'

// The ends of the requests that a generator makes. A request is listened to from when it is made,
// because it may fail before its generator has given it back (or without ever doing so), and an
// error that nobody listens to ends the process. Listeners are shared: none is made for a request.

const FLIGHT = Symbol('flight of a load test')
const FATE = Symbol('how a request ended before its flight was known')

/**
 * @param {import('http').ClientRequest} request
 * @returns {import('http').ClientRequest} the same
 */
function watch(request) {
  if (request[FLIGHT] !== undefined) return request
  request[FLIGHT] = null
  request.on('error', onError)
  request.on('close', onClose)
  return request
}

/**
 * From now on the test of the flight is told with failed() and closed() what becomes of it.
 * @param {import('http').ClientRequest} request
 * @param {{test: object}} flight
 */
function launch(request, flight) {
  watch(request)[FLIGHT] = flight
  const fate = request[FATE]
  if (fate === undefined) return
  if (fate === null) flight.test.closed(flight)
  else flight.test.failed(flight, fate)
}

function onError(error) {
  const flight = this[FLIGHT]
  if (flight) flight.test.failed(flight, error)
  else this[FATE] = this[FATE] || error
}

// Comes last, behind an error as well as behind the end of the answer.
function onClose() {
  const flight = this[FLIGHT]
  if (flight) flight.test.closed(flight)
  else if (this[FATE] === undefined) this[FATE] = null
}

/**
 * Adds the body to the flight; its test is told with answered() and failed() how it ends.
 * @param {import('http').IncomingMessage} response
 * @param {{test: object, bytes: number, chunks: Buffer[] | null}} flight
 */
function readAnswer(response, flight) {
  response[FLIGHT] = flight
  response.on('data', onData)
  response.on('error', onCut)
  response.on('end', onEnd)
}

function onData(chunk) {
  const flight = this[FLIGHT]
  const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  flight.bytes += bytes.length
  if (flight.chunks) flight.chunks.push(bytes)
}

function onCut(error) {
  const flight = this[FLIGHT]
  flight.test.failed(flight, error, 'truncated_response')
}

function onEnd() {
  const flight = this[FLIGHT]
  flight.test.answered(flight)
}

module.exports = { watch, launch, readAnswer }
