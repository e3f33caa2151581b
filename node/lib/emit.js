'use strict'

/**
 * Emits where the run has to go on whatever a listener does: what one throws is an uncaught
 * exception of the process, as if it had been thrown outside of the run.
 * @param {import('events').EventEmitter} emitter
 * @param {string} event
 * @param {unknown[]} values for the listeners
 */
function emitAndGoOn(emitter, event, ...values) {
  try {
    emitter.emit(event, ...values)
  } catch (error) {
    process.nextTick(() => { throw error })
  }
}

module.exports = { emitAndGoOn }
