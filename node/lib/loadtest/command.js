'use strict'

// `npx carronade loadtest …`: the native command where it can, Node where JavaScript is needed. The
// command line is read by the native program in both cases.

const { spawnSync } = require('child_process')
const { startTest } = require('./load_test')
const { notesOf } = require('./loadtest_report')

const MOST_BYTES = 1 << 26
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 }

/**
 * @param {string} program the native one
 * @param {string[]} words behind `loadtest`
 * @returns {{options: object, needsJavaScript: boolean} | null} null: the words are wrong, or ask
 *     for help; what there is to say is said, and the exit code is set
 */
function parsedOptions(program, words) {
  const run = spawnSync(program, ['loadtest', '--parsed-options', ...words],
    { encoding: 'utf8', maxBuffer: MOST_BYTES, stdio: ['inherit', 'pipe', 'pipe'] })
  if (run.error) throw run.error
  const parsed = run.status === 0 ? fromJson(run.stdout) : null
  if (parsed) {
    // The native command will say it itself.
    if (parsed.needsJavaScript) process.stderr.write(run.stderr)
    return parsed
  }
  process.stdout.write(run.stdout)
  process.stderr.write(run.stderr)
  process.exitCode = run.status === null ? 1 : run.status
  return null
}

// Help and version are text.
function fromJson(text) {
  try {
    const value = JSON.parse(text)
    return value && typeof value.options === 'object' ? value : null
  } catch (error) {
    return null
  }
}

/**
 * Runs the test and prints its report, also when it is interrupted.
 * @param {object} options of the API
 * @returns {Promise<void>} the exit code is set
 */
async function runInNode(options) {
  const test = startTest(options)
  let interrupted = false
  const stop = (signal) => {
    if (interrupted) process.exit(INTERRUPTED[signal])
    interrupted = true
    process.exitCode = INTERRUPTED[signal]
    test.stop()
  }
  for (const signal of Object.keys(INTERRUPTED)) process.on(signal, stop)
  process.stdout.on('error', () => process.exit(1))
  try {
    const result = await test.finished
    result.show()
    for (const note of notesOf(result)) console.error(note)
  } catch (error) {
    console.error(error.message || error)
    process.exitCode = 1
  }
  for (const signal of Object.keys(INTERRUPTED)) process.removeListener(signal, stop)
}

module.exports = { parsedOptions, runInNode }
