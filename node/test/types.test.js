'use strict'

// index.d.ts and loadtest.d.ts against programs that have to compile, and lines that have not to.

const assert = require('assert')
const fs = require('fs')
const path = require('path')
const { spawnSync } = require('child_process')
const { test } = require('node:test')

const MODULES = path.join(__dirname, '..', '..', 'build', 'npm', 'node_modules')
const COMPILER = path.join(MODULES, 'typescript', 'lib', 'tsc.js')
const missing = [COMPILER, path.join(MODULES, '@types', 'node')].filter((it) => !fs.existsSync(it))
const skip = missing.length > 0 && `without ${missing.join(' and ')}`

test('the types are right, for CommonJS and for ES modules', { skip }, () => {
  const files = ['types.ts', 'types_esm.mts', 'loadtest_types.ts', 'loadtest_types_esm.mts']
    .map((it) => path.join(__dirname, 'fixtures', it))
  const run = spawnSync(process.execPath, [
    COMPILER, '--noEmit', '--strict', '--target', 'es2022', '--module', 'node16',
    '--moduleResolution', 'node16', '--esModuleInterop',
    '--typeRoots', path.join(MODULES, '@types'), '--types', 'node', ...files
  ], { encoding: 'utf8' })
  assert.strictEqual(run.stdout, '')
  assert.strictEqual(run.status, 0)
})
