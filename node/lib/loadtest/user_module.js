'use strict'

// A function of the user's in a module of its own: ES module or CommonJS.

const { spawnSync } = require('child_process')
const fs = require('fs')
const { createRequire } = require('module')
const path = require('path')
const { fileURLToPath, pathToFileURL } = require('url')
const { placeOf, wordsOf } = require('./fault_place')

/**
 * @param {string} given a path, relative to the working directory, a file: URL, or the name of an
 *     installed package
 * @returns {Promise<Function>} its default export, or the module itself
 * @throws {Error} it cannot be loaded, or is no function
 */
async function importFunction(given) {
  const loaded = await importModule(fileOf(given))
  // A module that was compiled to CommonJS has its default one level down.
  const candidates = [loaded.default, loaded.default && loaded.default.default, loaded]
  const found = candidates.find((candidate) => typeof candidate === 'function')
  if (!found) throw new Error(`${given} exports no function: export default function …`)
  return found
}

/**
 * @param {string} file
 * @returns {Promise<object>} the module
 * @throws {Error} with file, line and reason
 */
async function importModule(file) {
  try {
    return await import(pathToFileURL(file))
  } catch (error) {
    const place = placeOf(error, true) || placeOfSyntax(error, file) || file
    throw new Error(`${place}: ${wordsOf(error)}`, { cause: error })
  }
}

// Node keeps the place of a wrong word in an ES module for what it prints itself.
function placeOfSyntax(error, file) {
  if (!(error instanceof SyntaxError)) return ''
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
  return placeOf({ stack: stderr }, true)
}

function fileOf(given) {
  if (given.startsWith('file:')) return fileURLToPath(given)
  const file = path.resolve(given)
  if (/^[./]/.test(given) || fs.existsSync(file)) {
    return fs.existsSync(file) ? file : resolve(file, given)
  }
  return resolve(given, given)
}

// With the extensions that CommonJS adds.
function resolve(wanted, given) {
  try {
    return createRequire(path.join(process.cwd(), 'package.json')).resolve(wanted)
  } catch (error) {
    throw new Error(`cannot find module ${given} from ${process.cwd()}`)
  }
}

module.exports = { importFunction, importModule }
