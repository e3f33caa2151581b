'use strict'

// loadTest(options[, callback]).

const { EngineTest } = require('./engine_test')
const { GeneratorTest } = require('./generator_test')
const { resultOf } = require('./loadtest_result')
const { readSettings } = require('./loadtest_settings')
const { ProgressLines } = require('./progress_lines')

// Of the load tests in this process.
let instances = 0

/**
 * @param {object} options see loadtest.d.ts; never changed
 * @param {(error: Error | null, result?: import('./loadtest_result').Result) => void} [callback]
 * @returns {Promise<import('./loadtest_result').Result> | undefined} nothing with a callback
 */
function loadTest(options, callback) {
  const promise = startTest(options).finished
  if (typeof callback !== 'function') return promise
  // Out of the promise, so that what the callback throws is its own affair.
  promise.then((result) => setImmediate(callback, null, result),
    (error) => setImmediate(callback, error))
  return undefined
}

/**
 * @param {object} options
 * @param {{defaultCores?: number, print?: (line: string) => void}} [defaults] `print` for the
 *     progress lines
 * @returns {{finished: Promise<import('./loadtest_result').Result>, stop: () => void}} stop() ends
 *     the test early, with the result so far
 */
function startTest(options, defaults = {}) {
  let test = null
  let stopped = false
  const finished = (async () => {
    const settings = await readSettings(options, defaults)
    const instanceIndex = instances
    instances += 1
    test = new (settings.requestGenerator ? GeneratorTest : EngineTest)(settings, instanceIndex)
    const lines = new ProgressLines(settings, () => test.progress(), defaults.print)
    const ended = test.run()
    if (stopped) test.stop()
    try {
      return resultOf(settings, await ended, instanceIndex)
    } finally {
      lines.stop()
    }
  })()
  return {
    finished,
    stop() {
      stopped = true
      if (test) test.stop()
    }
  }
}

module.exports = { loadTest, startTest }
