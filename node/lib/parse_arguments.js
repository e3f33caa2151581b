'use strict'

// autocannon's command line as an object, in the shape that its parseArguments() gives.

const fs = require('fs')
const subarg = require('@minimistjs/subarg')
const { harWarnings, parseHar } = require('./har')
const { printHelp, printVersion } = require('./command_text')

const ALIASES = {
  amount: 'a',
  bailout: 'B',
  body: 'b',
  connectionRate: 'r',
  connections: 'c',
  duration: 'd',
  excludeErrorStats: 'x',
  expectBody: 'E',
  forever: 'f',
  form: 'F',
  headers: ['H', 'header'],
  help: 'h',
  idReplacement: 'I',
  ignoreCoordinatedOmission: 'C',
  input: 'i',
  json: 'j',
  maxConnectionRequests: 'M',
  maxOverallRequests: 'O',
  method: 'm',
  onPort: 'on-port',
  overallRate: 'R',
  pipelining: 'p',
  reconnectRate: 'D',
  renderLatencyTable: ['l', 'latency'],
  renderProgressBar: 'progress',
  renderStatusCodes: 'statusCodes',
  sampleInt: 'L',
  servername: 's',
  socketPath: 'S',
  timeout: 't',
  title: 'T',
  verbose: 'V',
  version: 'v',
  warmup: 'W',
  workers: 'w'
}

const BOOLEANS = [
  'json', 'n', 'help', 'renderLatencyTable', 'renderProgressBar', 'renderStatusCodes', 'forever',
  'idReplacement', 'excludeErrorStats', 'onPort', 'debug', 'ignoreCoordinatedOmission', 'verbose'
]

const DEFAULTS = {
  connections: 10,
  debug: false,
  duration: 10,
  excludeErrorStats: false,
  forever: false,
  idReplacement: false,
  json: false,
  method: 'GET',
  pipelining: 1,
  reconnectRate: 0,
  renderLatencyTable: false,
  renderProgressBar: true,
  renderStatusCodes: false,
  sampleInt: 1000,
  timeout: 10,
  verbose: true,
  workers: 0
}

/**
 * @param {string[]} words the command line without "node" and the script
 * @returns {object | undefined} options for carronade() and start(); undefined when help or the
 *   version was printed instead. A URL that is none ends the process with 1
 * @throws {Error} a header, a file
 */
function parseArguments(words) {
  const argv = subarg(words, {
    alias: ALIASES,
    boolean: BOOLEANS,
    default: DEFAULTS,
    '--': true
  })
  if (typeof argv.warmup === 'object') nameShortOptions(argv.warmup)
  argv.url = argv._.length > 1 ? argv._ : argv._[0]
  if (argv['--'][0] === 'node') argv.onPort = true
  if (argv.onPort) argv.spawn = argv['--']
  if (argv.n) {
    Object.assign(argv,
      { renderProgressBar: false, renderResultsTable: false, renderStatusCodes: false })
  }
  if (argv.version) return void printVersion()
  if (!isUrl(argv.url) || argv.help) return void printHelp()

  argv.url = eachUrl(argv.url, fullUrl)
  eachUrl(argv.url, (url) => checkUrl(url, argv.onPort))
  if (argv.input) argv.body = fs.readFileSync(argv.input, 'utf8')
  if (argv.headers) argv.headers = headersOf([].concat(argv.headers))
  if (argv.har) argv.har = readHar(argv.har, argv.url)
  argv.tlsOptions = tlsOptionsOf(argv)
  // Tells carronade() that a person reads the output.
  argv[Symbol.for('internal')] = true
  return argv
}

// The parser knows no aliases inside of a group.
function nameShortOptions(group) {
  if (group.c) group.connections = group.c
  if (group.d) group.duration = group.d
}

function isUrl(url) {
  return Array.isArray(url) || (typeof url === 'string' && url !== '')
}

function eachUrl(url, change) {
  return Array.isArray(url) ? url.map(change) : change(url)
}

function fullUrl(word) {
  const port = process.env.PORT
  const url = port ? new URL(word, `http://localhost:${port}`).href : String(word)
  return url.startsWith('http') || url.startsWith('/') ? url : `http://${url}`
}

function checkUrl(url, onPort) {
  try {
    return new URL(url, onPort ? 'http://localhost' : undefined)
  } catch (error) {
    console.error(error.message)
    console.error('')
    console.error('When targeting a path without a hostname, the PORT environment variable ' +
      'must be available.')
    console.error('Use a full URL or set the PORT variable.')
    process.exit(1)
  }
}

function headersOf(list) {
  const headers = {}
  for (const header of list) {
    const split = String(header).search(/[:=]/)
    if (split < 1) throw new Error(`An HTTP header was not correctly formatted: ${header}`)
    headers[header.slice(0, split)] = header.slice(split + 1)
  }
  return headers
}

function readHar(file, urls) {
  try {
    const har = JSON.parse(fs.readFileSync(file, 'utf8'))
    for (const warning of harWarnings(parseHar(har), urls)) console.error(warning)
    return har
  } catch (error) {
    throw new Error(`Failed to load HAR file content: ${error.message}`)
  }
}

function tlsOptionsOf(argv) {
  const options = {}
  if (argv.cert) options.cert = readFile(argv.cert, 'cert')
  if (argv.key) options.key = readFile(argv.key, 'key')
  if (argv.ca) {
    argv.ca = Array.isArray(argv.ca._) ? argv.ca._ : [].concat(argv.ca)
    options.ca = argv.ca.map((file) => readFile(file, 'ca'))
  }
  return options
}

function readFile(file, what) {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    throw new Error(`Failed to load ${what} file: ${error.message}`)
  }
}

module.exports = { parseArguments }
