'use strict'

// The addon: the engine, and what makes documents of its results.

const path = require('path')

const file = process.env.CARRONADE_ADDON ||
  path.join(__dirname, '..', 'prebuilt', 'carronade.node')

function load() {
  try {
    return require(path.resolve(file))
  } catch (error) {
    throw new Error(
      `carronade: cannot load ${file} on ${process.platform}-${process.arch}, ` +
        `Node ${process.version}: ${error.message}; set CARRONADE_ADDON to a build for this system`
    )
  }
}

/** The native binding: `version`, `Engine`, `resultDocument`, `mergeStates`, `hdr`. */
module.exports = load()
