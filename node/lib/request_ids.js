'use strict'

const { randomBytes } = require('crypto')

const DIGITS = 10

/**
 * Ids for one connection's requests: 22 URL-safe characters that no other connection has, '-' and
 * 10 digits that count up.
 * @returns {() => string}
 */
function idMaker() {
  let prefix = ''
  let count = 0
  return () => {
    if (prefix === '' || count === 10 ** DIGITS) {
      prefix = randomBytes(16).toString('base64url')
      count = 0
    }
    return `${prefix}-${String(count++).padStart(DIGITS, '0')}`
  }
}

module.exports = { idMaker }
