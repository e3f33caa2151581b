'use strict'

/**
 * What a run tells is decided at its start: who begins to listen for more when it is under way
 * is told so, once for the run.
 * @param {import('events').EventEmitter} tracker
 * @param {import('./client').Client[]} clients
 * @param {import('./wants').Wants} wants
 * @returns {() => void} stops looking
 */
function warnOfLateListeners(tracker, clients, wants) {
  const watched = new Map()
  const untold = untoldToTracker(wants)
  const unheard = untoldToClients(wants)
  let warned = false
  const lookFor = (events) => (event) => {
    if (warned || !events.has(event)) return
    warned = true
    process.emitWarning(
      `this listener of '${event}' hears nothing: what a run tells is decided when it starts, ` +
        "so add it before 'start'",
      'CarronadeWarning'
    )
  }
  if (untold.size > 0) watched.set(tracker, lookFor(untold))
  const look = lookFor(unheard)
  if (unheard.size > 0) for (const client of clients) watched.set(client, look)
  for (const [emitter, listener] of watched) emitter.on('newListener', listener)
  return () => {
    for (const [emitter, listener] of watched) emitter.removeListener('newListener', listener)
  }
}

const untoldToTracker = (wants) => new Set(wants.inLoop ? [] : ['response', 'reqMismatch'])

function untoldToClients(wants) {
  const events = new Set()
  if (!wants.requests) events.add('request')
  if (!wants.heads) events.add('headers').add('trailers')
  if (wants.bodies !== 'buffer') events.add('body')
  return events
}

module.exports = { warnOfLateListeners }
