'use strict'

const path = require('path')

/**
 * @returns {string} the native program of this package, or the one that CARRONADE_BINARY names
 */
function nativeProgram() {
  return process.env.CARRONADE_BINARY || path.join(__dirname, '..', 'prebuilt', 'carronade')
}

module.exports = { nativeProgram }
