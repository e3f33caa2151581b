'use strict'

// `npx carronade loadtest …`: the native command where it can, Node where JavaScript is needed. The
// command line is read by the native program in both cases.

const { spawnSync } = require('child_process')
const { faultLine } = require('./fault_place')
const { startTest } = require('./load_test')
const { notesOf, reportText } = require('./loadtest_report')
const { tell, writeQuietly, writeReport, writeText } = require('./standard_output')

const MOST_BYTES = 1 << 26
const INTERRUPTED = { SIGINT: 130, SIGTERM: 143 }

/**
 * @param {string} program the native one
 * @param {string[]} words behind `loadtest`
 * @returns {Promise<{options: object, needsJavaScript: boolean, defaultCores: number} | null>}
 *     null: the words are wrong, or ask for help; what there is to say is said, and the exit code
 *     is set
 * @throws {Error} the program cannot be started
 */
async function parsedOptions(program, words) {
  const run = spawnSync(program, ['loadtest', '--parsed-options', ...words],
    { encoding: 'utf8', maxBuffer: MOST_BYTES, stdio: ['inherit', 'pipe', 'pipe'] })
  if (run.error) throw run.error
  const parsed = run.status === 0 ? fromJson(run.stdout) : null
  if (parsed) {
    // The native command will say it itself.
    if (parsed.needsJavaScript) process.stderr.write(run.stderr)
    return parsed
  }
  process.stderr.write(run.stderr)
  const written = await writeText(run.stdout)
  process.exitCode = run.status === null || (run.status === 0 && !written) ? 1 : run.status
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
 * @param {number} defaultCores when they do not say
 * @returns {Promise<void>} the exit code is set
 */
async function runInNode(options, defaultCores) {
  const test = startTest(options, { defaultCores, print: (line) => writeQuietly(`${line}\n`) })
  let interrupted = false
  const stop = (signal) => {
    if (interrupted) process.exit(INTERRUPTED[signal])
    interrupted = true
    process.exitCode = INTERRUPTED[signal]
    test.stop()
  }
  for (const signal of Object.keys(INTERRUPTED)) process.on(signal, stop)
  // What the user's modules write there: the report is still to come.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const silence = tellWarnings()
  try {
    const result = await test.finished
    if (!await writeReport(`${reportText(result)}\n`)) process.exitCode = 1
    for (const note of notesOf(result)) await tell(note)
  } catch (error) {
    await tell(faultLine(error, moduleOf(options)))
    process.exitCode = 1
  }
  silence()
  for (const signal of Object.keys(INTERRUPTED)) process.removeListener(signal, stop)
}

// Whose functions are called.
const moduleOf = ({ patchFile, postFile, putFile, requestGenerator }) =>
  requestGenerator || patchFile || putFile || postFile

// Ours as the native command says them; those of Node and of the user's modules as ever.
function tellWarnings() {
  const usual = process.listeners('warning')
  const hear = (warning) => {
    if (warning.name === 'CarronadeWarning') tell(`warning: ${warning.message}`)
    else for (const listener of usual) listener(warning)
  }
  process.removeAllListeners('warning')
  process.on('warning', hear)
  return () => {
    process.removeListener('warning', hear)
    for (const listener of usual) process.on('warning', listener)
  }
}

module.exports = { parsedOptions, runInNode }
