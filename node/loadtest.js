'use strict'

const { loadTest } = require('./lib/loadtest/load_test')

/** Starts loadtest's test server; loaded when it is called, because it needs packages. */
function startServer(...given) {
  return require('./lib/loadtest/start_server').startServer(...given)
}

const loadtest = { loadTest, startServer }

module.exports = loadtest
module.exports.default = loadtest
