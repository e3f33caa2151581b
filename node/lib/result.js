'use strict'

// The engine's states as the objects that users get.

const binding = require('./native')

/**
 * @typedef {object} Facts what the result repeats of the options, after validation
 * @property {string|string[]} url
 * @property {string} [title]
 * @property {string} [socketPath]
 * @property {number} connections
 * @property {number} sampleInt
 * @property {number} pipelining
 * @property {number} [workers]
 * @property {boolean} [ignoreCoordinatedOmission]
 */

/**
 * @param {Buffer[]} states of one run's parts, at least one
 * @param {Facts} opts
 * @param {number} resets
 * @returns {object} every key of autocannon's result in its order, then `carronade`
 */
function resultOf(states, opts, resets) {
  const document = documentOf(states, opts, resets)
  return {
    title: opts.title,
    url: opts.url,
    socketPath: opts.socketPath,
    connections: opts.connections,
    sampleInt: opts.sampleInt,
    pipelining: opts.pipelining,
    workers: opts.workers,
    ...without(document, REPEATED),
    ...times(document)
  }
}

/**
 * @param {Buffer[]} states
 * @param {Facts} opts
 * @param {number} resets
 * @returns {object} what `skipAggregateResult` asks for: counts, histograms as HdrHistogram's
 *     base64, and in `carronade.state` all that is needed to merge without loss
 */
function partialResultOf(states, opts, resets) {
  const document = documentOf(states, opts, resets)
  const { requests, throughput } = document
  const state = states.length === 1 ? states[0] : binding.mergeStates(states)
  return {
    ...binding.hdr(states),
    totalCompletedRequests: requests.total,
    totalRequests: requests.sent,
    totalBytes: throughput.total,
    samples: document.samples,
    errors: document.errors,
    timeouts: document.timeouts,
    mismatches: document.mismatches,
    non2xx: document.non2xx,
    statusCodeStats: document.statusCodeStats,
    resets: document.resets,
    duration: document.duration,
    ...times(document),
    '1xx': document['1xx'],
    '2xx': document['2xx'],
    '3xx': document['3xx'],
    '4xx': document['4xx'],
    '5xx': document['5xx'],
    carronade: { state: state.toString('base64') }
  }
}

/**
 * @param {Buffer} state
 * @returns {{kind: string, text: string, count: number}[]} what went wrong
 */
function errorsOf(state) {
  const facts = { url: [], connections: 1, pipelining: 1 }
  return documentOf([state], facts, 0).carronade.errors || []
}

const REPEATED =
  ['title', 'url', 'socketPath', 'connections', 'sampleInt', 'pipelining', 'workers']

function documentOf(states, opts, resets) {
  return JSON.parse(binding.resultDocument(states, {
    urls: [].concat(opts.url || []),
    socketPath: opts.socketPath || '',
    title: opts.title === undefined ? '' : String(opts.title),
    connections: opts.connections,
    pipelining: opts.pipelining,
    workers: opts.workers || 0,
    resets,
    serviceTime: Boolean(opts.ignoreCoordinatedOmission)
  }))
}

// JSON has no dates.
function times(document) {
  return { start: new Date(document.start), finish: new Date(document.finish) }
}

function without(object, keys) {
  const rest = { ...object }
  for (const key of keys) delete rest[key]
  return rest
}

module.exports = { resultOf, partialResultOf, errorsOf }
