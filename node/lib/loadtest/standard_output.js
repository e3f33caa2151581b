'use strict'

// The standard streams of `npx carronade loadtest`, with every error seen: a report must not vanish
// because a disk is full or a reader went away. As src/cli/output.cc of the native program.

const fs = require('fs')
const { setTimeout: wait } = require('timers/promises')

const STDOUT = 1
const STDERR = 2
const FULL_PIPE_MS = 5

// Lines leave in the order in which they came.
let last = Promise.resolve()

function inOrder(write) {
  const written = last.then(write)
  last = written.catch(() => {})
  return written
}

// A pipe may take nothing for a while, and signals are to be heard meanwhile.
async function writeAll(fd, text) {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(fd, bytes))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      await wait(FULL_PIPE_MS)
    }
  }
}

// "ENOSPC: no space left on device, write": the system's words.
function reasonOf(error) {
  const [, words] = /^[A-Z\d_]+: (.*), \w+$/.exec(error.message) || [null, error.message]
  return `write to standard output: ${words[0].toUpperCase()}${words.slice(1)}`
}

/**
 * One line to the person, on standard error. When that cannot be written nobody is left to tell.
 * @param {string} text
 * @returns {Promise<void>}
 */
function tell(text) {
  return inOrder(() => writeAll(STDERR, `loadtest: ${text}\n`)).catch(() => {})
}

/**
 * To standard output, or not at all: the report at the end says why.
 * @param {string} text
 * @returns {Promise<void>}
 */
function writeQuietly(text) {
  return inOrder(() => writeAll(STDOUT, text)).catch(() => {})
}

/**
 * What can be asked for again, as a help. When it cannot be written it is said why.
 * @param {string} text
 * @returns {Promise<boolean>} whether it was written
 */
async function writeText(text) {
  try {
    await inOrder(() => writeAll(STDOUT, text))
    return true
  } catch (error) {
    await tell(reasonOf(error))
    return false
  }
}

/**
 * What was measured, to standard output. If that fails the reason and the report go to standard
 * error, so that nothing measured is lost.
 * @param {string} text
 * @returns {Promise<boolean>} whether it is on standard output
 */
async function writeReport(text) {
  try {
    await inOrder(() => writeAll(STDOUT, text))
    return true
  } catch (error) {
    await tell(`${reasonOf(error)}; the report follows here`)
    await inOrder(() => writeAll(STDERR, text)).catch(() => {})
    return false
  }
}

module.exports = { tell, writeQuietly, writeReport, writeText }
