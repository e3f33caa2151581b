'use strict'

// Functions of the user that are given as the path of a module.

const { createRequire } = require('module')
const path = require('path')

/**
 * @param {Function|string|undefined} given a function, or the path of a module that exports one;
 *     a relative path is meant from the working directory
 * @returns {Function|undefined} undefined for nothing
 * @throws {Error} the module cannot be loaded, or exports no function
 */
function loadFunction(given) {
  if (typeof given !== 'string') return given
  const loaded = load(given)
  const found = typeof loaded === 'function' ? loaded : loaded && loaded.default
  if (typeof found !== 'function') throw new Error(`${given} exports no function`)
  return found
}

function load(given) {
  try {
    return createRequire(path.join(process.cwd(), 'package.json'))(given)
  } catch (error) {
    // The lines behind the first say who asked, which is this package.
    if (error.code === 'MODULE_NOT_FOUND') throw new Error(error.message.split('\n')[0])
    throw error
  }
}

module.exports = { loadFunction }
