'use strict'

// Colours for text on a terminal, by what the terminal and the environment say when asked.

const CODES = {
  cyan: [36, 39],
  heading: [36, 31], // cyan, and back to the red of the padding around it, which nobody sees
  green: [32, 39],
  red: [31, 39],
  grey: [90, 39],
  brightRed: [91, 39],
  bold: [1, 22]
}

const NAMED_TERMINALS = ['iTerm.app', 'HyperTerm', 'Hyper', 'MacTerm', 'Apple_Terminal']

/**
 * Whether text on `stream` may have colours: only on a terminal, not for TERM=dumb (unless
 * COLORTERM is set), not in a CI system, not with NO_COLOR.
 * @param {{isTTY?: boolean}} stream
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {boolean}
 */
function hasColours(stream, env = process.env) {
  if (!stream || !stream.isTTY || isSet(env.NO_COLOR)) return false
  const term = env.TERM || ''
  if (term === 'dumb' && !env.COLORTERM) return false
  if (env.TMUX) return true
  if (env.CI || env.TEAMCITY_VERSION) return Boolean(env.TRAVIS)
  if (NAMED_TERMINALS.includes(env.TERM_PROGRAM)) return true
  if (/^screen|^xterm|^vt100|color|ansi|cygwin|linux/i.test(term)) return true
  return Boolean(env.COLORTERM)
}

// A test that puts back a variable that was not there writes the word "undefined".
function isSet(variable) {
  return variable !== undefined && variable !== '' && variable !== 'undefined'
}

/**
 * @param {boolean} enabled
 * @returns {Record<keyof typeof CODES, (text: string) => string>}
 */
function palette(enabled) {
  const paint = {}
  for (const [name, [on, off]] of Object.entries(CODES)) {
    paint[name] = enabled ? (text) => `\x1b[${on}m${text}\x1b[${off}m` : (text) => text
  }
  return paint
}

module.exports = { hasColours, palette }
