'use strict'

// What is refused, in one line that names it as the user does.

const test = require('node:test')
const assert = require('node:assert')
const carronade = require('..')

const url = 'http://127.0.0.1:1'

async function messageOf(opts) {
  try {
    await carronade({ url, connections: 1, amount: 1, ...opts })
  } catch (error) {
    return error.message
  }
  return 'accepted'
}

test('what the engine refuses has the name of the option', async () => {
  const whole = 'must be a whole number from 0 to '
  for (const [opts, text] of [
    [{ amount: 1e30 }, `amount ${whole}9007199254740992`],
    [{ amount: 0.5, duration: 1, connections: 1e30 }, 'amount can not be less than 1'],
    [{ amount: undefined, maxOverallRequests: 1e30 },
      `maxOverallRequests ${whole}9007199254740992`],
    [{ amount: undefined, connections: 1e30 }, `connections ${whole}4294967295`],
    [{ timeout: 1e30 }, 'timeout is out of range'],
    [{ reconnectRate: 1.5 }, `reconnectRate ${whole}9007199254740992`],
    [{ localAddress: 5 }, 'localAddress must be a string or a Buffer'],
    [{ localAddress: ['127.0.0.1', 5] }, 'localAddress[1] must be a string or a Buffer'],
    [{ idReplacement: 'yes' }, 'idReplacement must be true or false'],
    [{ template: 'yes' }, 'template must be true or false'],
    [{ data: 5 }, 'data must be a string or a Buffer'],
    [{ servername: 5, url: 'https://localhost:1' }, 'servername must be a string or a Buffer'],
    [{ connectionRate: 1e30 }, 'connectionRate must be from 0 to 10,000,000 a second'],
    [{ amount: undefined, overallRate: 5, maxConnectionRequests: 5 },
      'overallRate and maxConnectionRequests do not go together'],
    [{ overallRate: 1, amount: 9e9 }, 'amount takes more than 100 years at this rate'],
    [{ tlsOptions: { ca: 5 }, url: 'https://localhost:1' },
      'tlsOptions.ca must be a string or a Buffer: the contents, not a path'],
    [{ tlsOptions: { key: 'x' }, url: 'https://localhost:1' },
      'tlsOptions: a client key needs its certificate too']
  ]) {
    assert.strictEqual(await messageOf(opts), text)
  }
  assert.match(await messageOf({ template: true, body: '{{csv.x}}' }),
    /needs a data file: give one with the option data$/)
})

test('a URL that is none is told as it was given', async () => {
  for (const [wrong, text] of [
    ['http://', 'Invalid URL: http://'],
    ['bad host', 'Invalid URL: bad host'],
    [[url, 'localhost:99999'], 'Invalid URL: localhost:99999'],
    ['http://%zz:1@localhost', 'Invalid URL: http://%zz:1@localhost: a % in user or password ' +
      'has to be written as %25'],
    ['ftp://localhost/x', 'Invalid URL: ftp://localhost/x: the scheme must be http or https']
  ]) {
    assert.strictEqual(await messageOf({ url: wrong }), text)
  }
})

test('functions that need a result or a run say so', () => {
  assert.throws(() => carronade.aggregateResult([null], { url }), /^Error: results\[0\] cannot be/)
  for (const wrong of [undefined, null, {}, 'x', { latencies: 'x', requests: 'y' }]) {
    assert.throws(() => carronade.printResult(wrong), /^Error: printResult\(\) needs the result/)
  }
  assert.throws(() => carronade.track({}), /^Error: instance must be what carronade\(\) returned/)
})
