'use strict'

// Lengths of time as text: "10s", "1h30m", "2 weeks", "1.5 hours, 10 ms".

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365.25 * DAY

const UNITS = new Map()
for (const [seconds, names] of [
  [0.001, 'ms milli millisecond milliseconds'],
  [1, 's sec secs second seconds'],
  [MINUTE, 'm min mins minute minutes'],
  [HOUR, 'h hr hrs hour hours'],
  [DAY, 'd day days'],
  [7 * DAY, 'w week weeks'],
  [YEAR / 12, 'mon mth mths month months'],
  [YEAR, 'y yr yrs year years']
]) {
  for (const name of names.split(' ')) UNITS.set(name, seconds)
}

/**
 * @param {string} text numbers with units, which add up
 * @returns {number} seconds
 * @throws {Error} no number with a unit, or a unit that is none
 */
function parseDuration(text) {
  const compact = text.toLowerCase().replace(/[^\w.+-]/g, '')
  const parts = [...compact.matchAll(/([0-9.]+)([a-z]+)/g)]
  if (parts.length === 0) {
    throw new Error(`The string [${text}] could not be parsed by timestring`)
  }
  let seconds = 0
  for (const [, number, unit] of parts) {
    const length = UNITS.get(unit)
    if (length === undefined) throw new Error(`The unit [${unit}] is not supported by timestring`)
    seconds += Number(number) * length
  }
  return seconds
}

module.exports = { parseDuration }
