'use strict'

// A sign of life on a terminal, for runs whose progress is not known.

const FRAMES = ['/', '-', '\\', '|']
const INTERVAL_MS = 100

/**
 * @param {NodeJS.WritableStream & {isTTY?: boolean}} stream
 * @returns {() => void} takes the spinner away; calling it twice is fine
 */
function startSpinner(stream) {
  if (!stream.isTTY) return () => {}
  let turn = 0
  let timer = setInterval(() => {
    stream.write(FRAMES[turn++ % FRAMES.length] + '\r')
  }, INTERVAL_MS)
  timer.unref()
  return () => {
    if (timer === null) return
    clearInterval(timer)
    timer = null
    stream.write(' \r')
  }
}

module.exports = { startSpinner }
