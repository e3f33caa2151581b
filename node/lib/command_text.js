'use strict'

// What a command line prints instead of a run.

const { spawnSync } = require('child_process')
const { nativeProgram } = require('./native_program')

/** Prints the options, which the native program knows, on standard error. */
function printHelp() {
  const help = spawnSync(nativeProgram(), ['autocannon', '--help'], { encoding: 'utf8' })
  if (help.error) throw new Error(`cannot start ${nativeProgram()}: ${help.error.message}`)
  process.stderr.write(help.stderr || help.stdout)
}

/** Prints the versions of this package and of Node on standard output. */
function printVersion() {
  console.log('carronade', `v${require('../package.json').version}`)
  console.log('node', process.version)
}

module.exports = { printHelp, printVersion }
