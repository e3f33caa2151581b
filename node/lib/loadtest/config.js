'use strict'

// loadtest's configuration file, found and read as the native command does it
// (src/dialects/loadtest/loadtest_config_files.cc), and modules of JavaScript besides.

const fs = require('fs')
const path = require('path')
const { importModule } = require('./user_module')

const MOST_HOPS = 20
const READ = ['.json', '.yaml', '.yml']
const SCRIPTS = ['.js', '.cjs', '.mjs']
const OTHERS = ['.json5', '.toml', '.ini', '.ts', '.tsx', '.jsx', '.coffee', '.cson', '.ls',
  '.wisp', '.iced', '.es6']

// Of the files whose names have an extension.
const BASES = ['.loadtestrc', 'loadtest.config', '.loadtest/loadtest.config']

const NUMBERS = ['delay', 'error', 'percent', 'maxRequests', 'concurrency', 'maxSeconds',
  'requestsPerSecond', 'timeout']
const TEXTS = ['method', 'contentType', 'file', 'secureProtocol', 'cert', 'key', 'requestGenerator',
  'proxy', 'indexParam']
const FLAGS = ['insecure', 'agentKeepAlive']
const YES = new Set(['true', 't', 'yes', 'y', '1'])
const NO = new Set(['false', 'f', 'no', 'n', '0'])

/**
 * @param {string} [folder] where the search begins; it goes up to `home`, or to the root
 * @param {string} [home]
 * @returns {Promise<object>} what the file says, {} without one; empty values are left out
 * @throws {Error} a file that cannot be read, is no JSON or YAML, or has a value of a wrong kind
 */
async function loadConfig(folder = process.cwd(), home = process.env.HOME || '') {
  for (let here = path.resolve(folder); ; here = path.dirname(here)) {
    const found = await lookIn(here)
    if (found) return found.value ? keysOf(found.value, found.file) : {}
    if (here === home || here === path.dirname(here)) return {}
  }
}

async function lookIn(folder) {
  const manifest = path.join(folder, 'package.json')
  if (isFile(manifest)) {
    const entry = (readJson(manifest) || {}).loadtest
    if (entry !== undefined && entry !== null) {
      return { file: manifest, value: await complete(entry, manifest, 0) }
    }
  }
  const plain = path.join(folder, '.loadtestrc')
  const file = isFile(plain)
    ? plain
    : BASES.map((base) => withExtension(path.join(folder, base))).find(Boolean)
  return file && { file, value: await read(file, 0) }
}

const withExtension = (base) =>
  [...READ, ...SCRIPTS, ...OTHERS].map((extension) => base + extension).find(isFile)

function isFile(name) {
  const facts = fs.statSync(name, { throwIfNoEntry: false })
  return facts !== undefined && facts.isFile()
}

async function read(file, hops) {
  if (hops > MOST_HOPS) throw new Error(`${file}: the files lead in a circle`)
  const extension = path.extname(file)
  if (OTHERS.includes(extension)) {
    throw new Error(`${file}: ${extension} is not supported: write it as JSON or YAML`)
  }
  if (SCRIPTS.includes(extension)) {
    const loaded = await importModule(file)
    return complete(loaded.default === undefined ? { ...loaded } : loaded.default, file, hops)
  }
  return complete(extension === '.json' ? readJson(file) : readYaml(file), file, hops)
}

// A text leads to another file; `extends` lies under the rest.
async function complete(value, file, hops) {
  const beside = (name) => path.resolve(path.dirname(file), name)
  if (typeof value === 'string') return read(beside(value), hops + 1)
  if (value === null || value === undefined) return null
  if (!isObject(value)) throw new Error(`${file}: the configuration is no object`)
  if (value.extends === undefined) return value
  const { extends: names, ...rest } = value
  let all = {}
  for (const name of [].concat(names)) {
    if (typeof name !== 'string') throw new Error(`${file}: extends is no name of a file`)
    all = laidOver(all, await read(beside(name), hops + 1))
  }
  return laidOver(all, rest)
}

// Keys of objects one by one, as with headers and cookies; a body is taken whole.
function laidOver(under, over) {
  const all = { ...under }
  for (const [key, value] of Object.entries(over || {})) {
    const both = isObject(all[key]) && isObject(value) && key !== 'body'
    all[key] = both ? laidOver(all[key], value) : value
  }
  return all
}

const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(file) {
  const text = fs.readFileSync(file, 'utf8')
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw new Error(`${file}: ${oneLine(error)}`)
  }
}

function readYaml(file) {
  const text = fs.readFileSync(file, 'utf8')
  try {
    return require('yaml').parse(text)
  } catch (error) {
    throw new Error(`${file}: ${oneLine(error)}`)
  }
}

const oneLine = (error) => error.message.split('\n')[0]

function keysOf(value, file) {
  const config = {}
  for (const key of NUMBERS) put(config, key, numberOf(value[key], key, file))
  // Of a timeout 0 says something: none.
  if (Number(value.timeout) === 0 && isScalar(value.timeout) && value.timeout !== '') {
    config.timeout = 0
  }
  for (const key of TEXTS) put(config, key, textOf(value[key], key, file))
  for (const key of FLAGS) put(config, key, flagOf(value[key], key, file))
  put(config, 'body', value.body === '' ? undefined : value.body)
  put(config, 'headers', pairsOf(value.headers, 'headers', file))
  const cookies = pairsOf(value.cookies, 'cookies', file)
  put(config, 'cookies', cookies && cookies.map(([name, item]) => `${name}=${item}`))
  return config
}

function put(config, key, value) {
  if (value !== undefined && value !== null) config[key] = value
}

function numberOf(value, key, file) {
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number !== 'number' || !(number >= 0) || number === Infinity) {
    throw wrong(file, key, 'a number')
  }
  return number === 0 ? undefined : number
}

function textOf(value, key, file) {
  if (value === undefined || value === null || value === '') return undefined
  if (!isScalar(value)) throw wrong(file, key, 'a text')
  return String(value)
}

function flagOf(value, key, file) {
  if (value === undefined || value === null) return undefined
  const word = isScalar(value) ? String(value).toLowerCase() : ''
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw wrong(file, key, 'true or false')
}

function pairsOf(value, key, file) {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw wrong(file, key, 'an object')
  return Object.entries(value).map(([name, item]) => {
    if (!isScalar(item)) throw wrong(file, `${key}.${name}`, 'a text')
    return [name, String(item)]
  })
}

const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)
const wrong = (file, key, wanted) => new Error(`${file}: ${key} must be ${wanted}`)

module.exports = { loadConfig }
