'use strict'

// Numbers as autocannon's report writes them.

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB']

/**
 * 1000-based units, 3 significant digits, no trailing zeros. The unit is chosen before rounding,
 * so that 999.6 is "1000 B".
 * @param {number} bytes finite
 * @returns {string} "2.29 MB"
 */
function bytesText(bytes) {
  if (!Number.isFinite(bytes)) {
    throw new TypeError(`Expected a finite number, got ${typeof bytes}: ${bytes}`)
  }
  const size = Math.abs(bytes)
  const sign = bytes < 0 ? '-' : ''
  if (size < 1) return `${sign}${size} B`
  const unit = Math.min(Math.floor(Math.log10(size) / 3), BYTE_UNITS.length - 1)
  return `${sign}${Number((size / 1000 ** unit).toPrecision(3))} ${BYTE_UNITS[unit]}`
}

/**
 * @param {number} count
 * @returns {string} "998", "12k": thousands without a fraction, never millions
 */
function countText(count) {
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`
}

/**
 * @param {number} number
 * @returns {string} all digits, with the separators of the user's language: "20,623"
 */
function groupedText(number) {
  return number.toLocaleString(undefined, { maximumFractionDigits: 20 })
}

const floorTo2 = (number) => Math.floor(number * 100) / 100
const ceilTo2 = (number) => Math.ceil(number * 100) / 100
const roundTo2 = (number) => Math.round(number * 100) / 100

module.exports = { bytesText, countText, groupedText, floorTo2, ceilTo2, roundTo2 }
