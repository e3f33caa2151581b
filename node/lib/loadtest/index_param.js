'use strict'

// indexParam, indexParamLiteral and indexParamCallback: a number of its own in each request.

// One count for all load tests of the process, so that no two requests have the same number.
let lastIndex = 0

/**
 * @param {object} options indexParam, indexParamLiteral, indexParamCallback
 * @returns {{finder: string | RegExp, next: () => unknown} | null} null: no index is wanted
 * @throws {Error} a pattern that is none
 */
function indexOf({ indexParam, indexParamLiteral, indexParamCallback }) {
  const finder = indexParamLiteral ? String(indexParamLiteral) : patternOf(indexParam)
  if (!finder) return null
  const next = typeof indexParamCallback === 'function'
    ? () => indexParamCallback()
    : () => { lastIndex += 1; return lastIndex }
  return { finder, next }
}

function patternOf(given) {
  if (!given) return null
  if (Object.prototype.toString.call(given) === '[object RegExp]') return given
  try {
    return new RegExp(given, 'g')
  } catch (error) {
    throw new Error(`Invalid indexParam: ${error.message}`)
  }
}

/**
 * @param {string} text
 * @param {string | RegExp} finder a text is found once, a pattern as often as its flags say
 * @returns {string[]} what stands between the places for the index: one piece when there is none
 */
function cutAt(text, finder) {
  const pieces = []
  let from = 0
  text.replace(finder, (found, ...rest) => {
    const at = rest.find((item) => typeof item === 'number')
    pieces.push(text.slice(from, at))
    from = at + found.length
    return found
  })
  pieces.push(text.slice(from))
  return pieces
}

/**
 * @param {string | Buffer} body bytes stay bytes: those that are no UTF-8 are looked at one by one
 * @param {string | RegExp} finder
 * @returns {(place: string) => string | Buffer} the body with what stands in the places
 */
function bodyFiller(body, finder) {
  if (typeof body === 'string') {
    const pieces = cutAt(body, finder)
    return pieces.length === 1 ? () => body : (place) => pieces.join(place)
  }
  const bytes = Buffer.from(body)
  const text = bytes.toString()
  const encoding = Buffer.from(text).equals(bytes) ? 'utf8' : 'latin1'
  const pieces = cutAt(encoding === 'utf8' ? text : bytes.toString(encoding), finder)
  if (pieces.length === 1) return () => bytes
  const written = encoding === 'utf8'
    ? (place) => place
    : (place) => Buffer.from(place).toString(encoding)
  return (place) => Buffer.from(pieces.join(written(place)), encoding)
}

module.exports = { bodyFiller, indexOf, cutAt }
