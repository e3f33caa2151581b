'use strict'

// One run of a programmable load generator, for bench/node_api: prints what it counted and the
// processor time that this process spent from the call to the result.
//
//   node api_load.js MODULE SCENARIO URL SECONDS

const [, , modulePath, scenario, url, seconds] = process.argv
const fire = require(modulePath)

let heard = 0
const count = () => { heard += 1 }

const SCENARIOS = {
  plain: { connections: 50 },
  pipelined: { connections: 50, pipelining: 100 },
  listener: { connections: 50, setupClient: (client) => client.on('response', count) },
  'listener-pipelined': {
    connections: 50,
    pipelining: 100,
    setupClient: (client) => client.on('response', count)
  },
  requests: {
    connections: 50,
    requests: [{
      method: 'POST',
      body: 'x',
      setupRequest: (request, context) => {
        context.seen = (context.seen || 0) + 1
        return { ...request, body: `number=${context.seen}` }
      },
      onResponse: (status, body, context) => {
        context.last = body.length
        heard += status === 200 ? 1 : 0
      }
    }]
  }
}

async function main() {
  const before = process.cpuUsage()
  const result = await fire({ url, duration: Number(seconds), ...SCENARIOS[scenario] })
  const { user, system } = process.cpuUsage(before)
  const sums = { answers: result.requests.total, errors: result.errors, user, system, heard }
  console.log(JSON.stringify(sums))
}

main().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
