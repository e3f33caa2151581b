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
  const loaded = createRequire(path.join(process.cwd(), 'package.json'))(given)
  const found = typeof loaded === 'function' ? loaded : loaded && loaded.default
  if (typeof found !== 'function') throw new Error(`${given} exports no function`)
  return found
}

module.exports = { loadFunction }
