'use strict'

const { carronade } = require('./lib/run')
const { track } = require('./lib/track')
const { printResult } = require('./lib/print_result')
const { aggregateResult } = require('./lib/aggregate')
const { parseArguments } = require('./lib/parse_arguments')
const { start } = require('./lib/start')

module.exports = carronade
module.exports.default = carronade
module.exports.carronade = carronade
module.exports.track = track
module.exports.printResult = printResult
module.exports.aggregateResult = aggregateResult
module.exports.parseArguments = parseArguments
module.exports.start = start
