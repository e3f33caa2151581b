'use strict'

// The options of a run cut into one part for each worker. What is a total over the run stays
// one, to the last request: autocannon drops what does not divide.

/**
 * @param {object} opts validated, with `workers` ≥ 1
 * @returns {object[]} options of the workers' own runs; no more than have something to do
 */
function workerParts(opts) {
  const { workers, connections, amount, maxOverallRequests } = opts
  const count = Math.min(workers, connections, amount || workers, maxOverallRequests || workers)
  return Array.from({ length: count }, (_, index) => partOf(opts, count, index))
}

function partOf(opts, count, index) {
  const part = { ...opts, workers: 0 }
  // Read from the form's files and fields by each worker itself; a parsed archive is a copy less.
  delete part.har
  part.connections = shareOf(opts.connections, count, index)
  if (opts.amount) {
    part.amount = shareOf(opts.amount, count, index)
    part.connections = Math.min(part.connections, part.amount)
  }
  if (opts.maxOverallRequests) {
    part.maxOverallRequests = shareOf(opts.maxOverallRequests, count, index)
  }
  if (opts.overallRate) part.overallRate = opts.overallRate / count
  return part
}

const shareOf = (total, count, index) =>
  Math.floor(total / count) + (index < total % count ? 1 : 0)

module.exports = { workerParts }
