'use strict'

// Results of several runs as one: of runs in other processes, on other machines, at other times.

const { resultOf } = require('./result')
const { validate } = require('./validate')

/**
 * @param {object[]} results made with `skipAggregateResult: true`, also after JSON
 * @param {object} opts as of the runs; at least `url` or `socketPath`
 * @returns {object} a result as of one run that had all their requests: counters add up and
 *   histograms are merged without loss
 * @throws {Error} options that are not valid; no results, or one without its raw parts
 */
function aggregateResult(results, opts = {}) {
  if (!Array.isArray(results)) throw new Error('"results" must be an array of results')
  const valid = validate(opts, false)
  if (valid instanceof Error) throw valid
  if (results.length === 0) throw new Error('"results" must have at least one result')
  const states = results.map(stateOf)
  const resets = results.reduce((sum, result) => sum + (result.resets || 0), 0)
  return resultOf(states, valid, resets)
}

function stateOf(result, index) {
  const state = result && result.carronade && result.carronade.state
  if (typeof state === 'string') return Buffer.from(state, 'base64')
  throw new Error(`results[${index}] cannot be merged: it has no carronade.state, ` +
    'which a run by carronade with skipAggregateResult: true gives')
}

module.exports = { aggregateResult }
