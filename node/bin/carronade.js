#!/usr/bin/env node
'use strict'

// `npx carronade …`: starts the native program of this package and ends as it ends.

const { spawn } = require('child_process')
const os = require('os')
const { nativeProgram } = require('../lib/native_program')

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

const program = nativeProgram()
const words = process.argv.slice(2)

if (words[0] === 'loadtest') loadtest(words.slice(1))
else runNative()

// JavaScript of the user's is run here, all else is the native program's.
async function loadtest(own) {
  const { parsedOptions, runInNode } = require('../lib/loadtest/command')
  let parsed
  try {
    parsed = await parsedOptions(program, own)
  } catch (error) {
    return sayNotStarted(error)
  }
  if (parsed === null) return
  if (parsed.needsJavaScript) runInNode(parsed.options, parsed.defaultCores)
  else runNative()
}

function sayNotStarted(error) {
  process.stderr.write(`carronade: cannot start ${program}: ${error.message}; ` +
    'set CARRONADE_BINARY to a carronade for this system\n')
  process.exitCode = 1
}

function runNative() {
  // A terminal sends Ctrl-C to the whole group, so the child has it already and a second one would
  // make it quit without its report. A signal to this process alone is for the child. Before the
  // child is there: a signal must not end this process and leave the child behind.
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      const fromTerminal = process.stdin.isTTY && (signal === 'SIGINT' || signal === 'SIGQUIT')
      if (!fromTerminal) child.kill(signal)
    })
  }

  const child = spawn(program, words, { stdio: 'inherit' })

  child.on('error', sayNotStarted)

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
}
