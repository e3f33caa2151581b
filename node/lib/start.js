'use strict'

// A run as the command line asks for it: report on standard error, JSON on standard output.

const { spawn } = require('child_process')
const { watchForPort } = require('./listening_port')

const KILL_AFTER_MS = 5000

/**
 * @param {object | undefined} argv what parseArguments() returned; nothing happens without one
 */
function start(argv) {
  if (!argv) return
  if (argv.onPort) startOnPort(argv)
  else launch(argv)
}

// Ctrl-C ends the run, and what was measured is reported; a second one ends the process.
// `atEnd` is called before the report is printed.
function launch(argv, atEnd = () => {}) {
  // At the top it would be a circle: index.js has this file's function among its own.
  const carronade = require('..')
  let tracker
  let stopped = false
  const stop = () => {
    stopped = true
    tracker.stop()
  }
  const finish = () => {
    process.removeListener('SIGINT', stop)
    atEnd()
  }
  const fail = (error) => {
    console.error(error.message)
    finish()
  }
  try {
    tracker = carronade(argv)
  } catch (error) {
    fail(error)
    return
  }
  process.once('SIGINT', stop)
  tracker.prependListener('done', () => {
    if (!argv.forever || stopped) finish()
  })
  if (tracker.catch) tracker.catch(fail)
  else tracker.on('error', fail)
}

// Starts the command, runs against the port it listens on, and ends it before the report comes:
// whoever waits for the report finds the port free again.
function startOnPort(argv) {
  const [command, ...words] = argv.spawn
  if (command === undefined) {
    console.error('--on-port needs a command after --')
    process.exitCode = 1
    return
  }
  const child = spawn(command, words, { stdio: ['ignore', 'inherit', 'inherit'] })
  let running = false
  const stopWatching = watchForPort(child.pid, (port) => {
    running = true
    const base = `http://localhost:${port}`
    const resolve = (url) => new URL(url, base).href
    const url = Array.isArray(argv.url) ? argv.url.map(resolve) : resolve(argv.url)
    launch({ ...argv, onPort: false, url }, () => endChild(child))
  })
  child.on('error', (error) => {
    stopWatching()
    console.error(`cannot start ${command}: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    stopWatching()
    if (running) return
    console.error(`${command} ended (${signal || code}) before it listened on a port`)
    process.exitCode = 1
  })
}

function endChild(child) {
  if (child.killed || child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  child.on('exit', () => clearTimeout(timer))
}

module.exports = { start }
