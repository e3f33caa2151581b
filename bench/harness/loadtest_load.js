'use strict'

// One load test through loadtest's API, for bench/loadtest_speed: prints what it counted and the
// processor time that this process spent from the call to the result.
//
//   node loadtest_load.js MODULE SCENARIO CLIENTS URL SECONDS

const { pathToFileURL } = require('url')

const [, , modulePath, scenario, clients, url, seconds] = process.argv

const generate = (params, options, client, callback) => {
  const message = '{"hi": "ho"}'
  options.headers['Content-Length'] = message.length
  options.headers['Content-Type'] = 'application/json'
  const request = client(options, callback)
  request.write(message)
  return request
}

const SCENARIOS = {
  plain: {},
  keepalive: { agentKeepAlive: true },
  body: {
    agentKeepAlive: true,
    method: 'POST',
    body: (requestId) => ({ key: 'value', requestId })
  },
  generator: { agentKeepAlive: true, method: 'POST', requestGenerator: generate },
  'generator-rate': {
    agentKeepAlive: true, method: 'POST', requestsPerSecond: 20000, requestGenerator: generate
  },
  'generator-plain': { method: 'POST', requestGenerator: generate },
  status: { agentKeepAlive: true, statusCallback: () => {} }
}

async function main() {
  const { loadTest } = await import(pathToFileURL(modulePath))
  const before = process.cpuUsage()
  const result = await loadTest({
    url, maxSeconds: Number(seconds), concurrency: Number(clients), quiet: true,
    ...SCENARIOS[scenario]
  })
  const { user, system } = process.cpuUsage(before)
  const { totalRequests, totalErrors } = result
  console.log(JSON.stringify({ answers: totalRequests, errors: totalErrors, user, system }))
  // Its agents would keep the process for a while.
  process.exit()
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
