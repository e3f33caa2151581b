'use strict'

// What the engine says about its specification, in the words of the options.

const NAMES = {
  dataFile: 'data',
  durationMs: 'duration',
  ids: 'idReplacement',
  localAddresses: 'localAddress',
  sampleIntMs: 'sampleInt',
  templates: 'template',
  timeoutMs: 'timeout'
}

/**
 * @param {string} text of the engine
 * @param {object} opts validated
 * @returns {string} the same, with the names that the user knows
 */
function engineMessage(text, opts) {
  const amount = opts.amount ? 'amount' : 'maxOverallRequests'
  const rate = opts.connectionRate ? 'connectionRate' : 'overallRate'
  return text
    .replace(/^spec\.([\w.[\]]+)/, (_, field) => optionOf(field, opts, amount))
    .replace(/^amount /, `${amount} `)
    .replace(/\bthe amount\b/, amount)
    .replace(/^a rate must\b/, `${rate} must`)
    .replace(/^a rate and a maximum of requests per connection\b/,
      `${rate} and maxConnectionRequests`)
    .replace(/^the sampling interval\b/, 'sampleInt')
    .replace(/^the server name \(SNI\)/, serverName(opts))
    .replace(/^(?=(?:a client key|give the (?:client|CA)|give PKCS#12)\b)/, 'tlsOptions: ')
    .replace(' with --data FILE.csv', ' with the option data')
    .replace('(--template)', '(template: true)')
}

function optionOf(field, opts, amount) {
  if (field === 'tls.servername') return serverName(opts)
  if (field.startsWith('tls.')) return field.replace('tls', 'tlsOptions')
  const [, name, place] = /^(?:targets\[\d+\]\.)?(\w+)(.*)$/.exec(field)
  if (name === 'amount') return amount
  if (name === 'localAddresses' && !Array.isArray(opts.localAddress)) return NAMES[name]
  return (NAMES[name] || name) + place
}

const serverName = (opts) => opts.servername ? 'servername' : 'tlsOptions.servername'

module.exports = { engineMessage }
