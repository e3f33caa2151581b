'use strict'

// The same rule as in src/dialects/loadtest/loadtest_losses.cc.

const BEHIND_AN_ANSWER = new Set(['excess_bytes', 'timeout'])

/**
 * How many requests errors of one kind have ended: those that were sent, and one for each
 * connection that could not be made. A server that sends more than it was asked for, or does not
 * read to the end what it has answered, breaks a connection and no request.
 * @param {{kind: string, count: number, requests: number}} row
 * @param {number} answered requests so far
 * @returns {number}
 */
function lostRequests({ kind, count, requests }, answered) {
  // Before the first message a broken frame is as good as a refusal.
  const behind = BEHIND_AN_ANSWER.has(kind) || (kind === 'malformed_frame' && answered > 0)
  return behind ? requests : count
}

module.exports = { lostRequests }
