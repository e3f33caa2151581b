#!/usr/bin/env node
'use strict'

// `npx carronade …`: starts the native program of this package and ends as it ends.

const { spawn } = require('child_process')
const os = require('os')
const { nativeProgram } = require('../lib/native_program')

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

const program = nativeProgram()

// A terminal sends Ctrl-C to the whole group, so the child has it already and a second one would
// make it quit without its report. A signal to this process alone is for the child. Before the
// child is there: a signal must not end this process and leave the child behind.
for (const signal of FORWARDED) {
  process.on(signal, () => {
    const fromTerminal = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT')
    if (!fromTerminal) child.kill(signal)
  })
}

const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' })

child.on('error', (error) => {
  process.stderr.write(`carronade: cannot start ${program}: ${error.message}; ` +
    'set CARRONADE_BINARY to a carronade for this system\n')
  process.exitCode = 1
})

child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exitCode = code
    return
  }
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // Not reached unless the signal is ignored here.
  process.exitCode = 128 + os.constants.signals[signal]
})
