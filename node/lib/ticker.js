'use strict'

/** Tells how many answers and bytes came since the last time, at a steady interval. */
class Ticker {
  /**
   * @param {number} intervalMs
   * @param {() => {answered: number, bytes: number}} progress totals so far
   * @param {(tick: {counter: number, bytes: number}) => void} onTick
   */
  constructor(intervalMs, progress, onTick) {
    this._onTick = onTick
    this._answered = 0
    this._bytes = 0
    this._timer = setInterval(() => {
      const { answered, bytes } = progress()
      this._tell(answered, bytes)
    }, Math.max(intervalMs, 1))
    // The run keeps the process alive, not this.
    this._timer.unref()
  }

  /** Nothing more; a timer that is due does not fire. */
  stop() {
    clearInterval(this._timer)
  }

  /**
   * The rest, when there is one: the sum of all ticks is then these totals.
   * @param {number} answered
   * @param {number} bytes
   */
  finish(answered, bytes) {
    this.stop()
    if (answered > this._answered || bytes > this._bytes) this._tell(answered, bytes)
  }

  _tell(answered, bytes) {
    const tick = { counter: answered - this._answered, bytes: Math.max(bytes - this._bytes, 0) }
    this._answered = answered
    this._bytes = Math.max(bytes, this._bytes)
    this._onTick(tick)
  }
}

module.exports = { Ticker }
