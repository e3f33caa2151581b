'use strict'

// The lines that a load test prints every five seconds, unless it is to be quiet.

const { progressText } = require('./loadtest_report')

const INTERVAL_MS = 5000
const NOTHING = { answered: 0, errors: 0, lost: 0, latencyMs: 0 }

class ProgressLines {
  /**
   * @param {import('./loadtest_settings').Settings} settings
   * @param {() => {told: import('./loadtest_report').Counts}} progress
   * @param {(line: string) => void} [print]
   */
  constructor(settings, progress, print = console.info) {
    this._settings = settings
    this._progress = progress
    this._print = print
    this._before = NOTHING
    this._lastMs = performance.now()
    this._timer = settings.quiet ? null : setInterval(() => this._tell(), INTERVAL_MS).unref()
  }

  stop() {
    clearInterval(this._timer)
  }

  _tell() {
    const { told } = this._progress()
    const nowMs = performance.now()
    const seconds = (nowMs - this._lastMs) / 1000
    if (seconds < 1) return
    this._print(progressText(told, this._before, seconds, this._settings.maxRequests))
    this._before = told
    this._lastMs = nowMs
  }
}

module.exports = { ProgressLines }
