'use strict'

// What became of each request, for statusCallback and contentInspector.

class Outcomes {
  /**
   * @param {import('./loadtest_settings').Settings} settings
   * @param {number} instanceIndex
   */
  constructor(settings, instanceIndex) {
    this._settings = settings
    this._instanceIndex = instanceIndex
    /** Answers so far. */
    this.count = 0
    this._callback = settings.statusCallback
    this._inspect = settings.contentInspector
    /** Whether each answer has to be told, with its head and its body. */
    this.hears = Boolean(this._callback || this._inspect)
    /** Errors that contentInspector found, by "STATUS:code". */
    this.customCodes = {}
    /** How many good answers it made an error of. */
    this.customErrors = 0
    /** Of the coded ones, those whose status is an error of its own, by status. */
    this.renamed = {}
  }

  /**
   * @param {object} answer path, statusCode, body, headers, requestElapsed, perhaps method, host
   *     and labels
   * @returns {boolean} false: contentInspector made an error of a good answer
   */
  answered(answer) {
    const { target, method } = this._settings
    const result = { host: target.hostname, method, ...answer }
    if (result.labels === undefined) delete result.labels
    result.requestIndex = this.count++
    result.instanceIndex = this._instanceIndex
    if (this._inspect) this._inspect(result)
    const error = this._judge(result)
    if (this._callback) this._callback(error, result)
    return result.customError === undefined || result.statusCode >= 400
  }

  // null, or the error in words. Codes are counted.
  _judge(result) {
    const { customError, customErrorCode, statusCode } = result
    const failed = statusCode >= 400
    if (!failed && !customError) {
      delete result.customError
      return null
    }
    const more = customErrorCode === undefined ? '' : `:${customErrorCode}`
    const code = `${statusCode}${more}`
    if (!failed) {
      this.customErrors += 1
      add(this.customCodes, code)
    } else if (customErrorCode !== undefined) {
      add(this.customCodes, code)
      add(this.renamed, statusCode)
    }
    return failed ? `Status code ${statusCode}` : `Custom error: ${customError}`
  }

  /**
   * @param {string} kind as the engine names it
   * @param {string} text with address and reason
   */
  lost(kind, text) {
    if (!this._callback) return
    const timeout = kind === 'timeout' || kind === 'connect_timeout'
    this._callback(timeout ? 'Connection timed out' : `Connection error: ${text}`, undefined)
  }
}

function add(codes, code) {
  codes[code] = (codes[code] || 0) + 1
}

module.exports = { Outcomes }
