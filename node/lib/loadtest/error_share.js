'use strict'

const BLOCK = 100

/**
 * Says for each request whether it is one of the `percent` of 100 that fail. In every hundred the
 * share is exact (fractions are carried on), while the order is random: as in the native server.
 */
class ErrorShare {
  /** @param {number} percent 0 to 100 */
  constructor(percent) {
    this._percent = percent
    this._blocks = 0
    this._requestsLeft = 0
    this._chosenLeft = 0
  }

  /** @returns {boolean} */
  next() {
    if (this._requestsLeft === 0) {
      const total = (blocks) => Math.floor(this._percent * blocks + 1e-9)
      this._chosenLeft = total(this._blocks + 1) - total(this._blocks)
      this._requestsLeft = BLOCK
      this._blocks += 1
    }
    const chosen = Math.random() * this._requestsLeft < this._chosenLeft
    this._requestsLeft -= 1
    if (chosen) this._chosenLeft -= 1
    return chosen
  }
}

module.exports = { ErrorShare }
