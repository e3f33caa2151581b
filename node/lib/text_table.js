'use strict'

// A table in box characters: a heading, rows, a rule between any two of them. Cells are aligned
// to the left with one space on each side. One line is one string, without a newline at the end.

/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {(text: string) => string} [paint] adds colour codes, which take no room
 * @property {(text: string) => string} [paintAll] the same, over the padding too
 */

/**
 * @param {Cell[]} head
 * @param {Cell[][]} rows each as long as the heading
 * @param {(text: string) => string} [paintBorder]
 * @returns {string}
 */
function renderTable(head, rows, paintBorder = (text) => text) {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column]))))
  const bar = paintBorder('│')
  const rule = (left, middle, right) => widths.map((width, column) => {
    const end = column === widths.length - 1 ? right : ''
    return paintBorder((column === 0 ? left : middle) + '─'.repeat(width + 2) + end)
  }).join('')
  const body = lines.map((row) => {
    const cells = row.map((cell, column) => padded(cell, widths[column]))
    return bar + cells.join(bar) + bar
  })
  return [
    rule('┌', '┬', '┐'),
    body.join('\n' + rule('├', '┼', '┤') + '\n'),
    rule('└', '┴', '┘')
  ].join('\n')
}

function widthOf(cell) {
  return [...cell.text].length
}

function padded(cell, width) {
  const text = cell.paint ? cell.paint(cell.text) : cell.text
  const all = ' ' + text + ' '.repeat(width - widthOf(cell)) + ' '
  return cell.paintAll ? cell.paintAll(all) : all
}

module.exports = { renderTable }
