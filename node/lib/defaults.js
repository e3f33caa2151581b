'use strict'

/** What an option is when it is not given. Frozen: a run never writes to it. */
module.exports = Object.freeze({
  headers: Object.freeze({}),
  method: 'GET',
  duration: 10,
  connections: 10,
  sampleInt: 1000,
  pipelining: 1,
  timeout: 10,
  maxConnectionRequests: 0,
  maxOverallRequests: 0,
  connectionRate: 0,
  overallRate: 0,
  amount: 0,
  reconnectRate: 0,
  forever: false,
  idReplacement: false,
  requests: Object.freeze([Object.freeze({})]),
  servername: undefined,
  excludeErrorStats: false
})
