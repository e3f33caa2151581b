// Runs the script of a page of `vegeta plot` with a document and a canvas that only listen, moves
// the mouse over it, and prints what came of it as JSON.
//   node plot_page_peer.js PAGE.html
'use strict'

const fs = require('fs')
const vm = require('vm')

const page = fs.readFileSync(process.argv[2], 'utf8')
const between = (begin, end) => {
  const from = page.indexOf(begin) + begin.length
  return page.slice(from, page.indexOf(end, from))
}

const calls = {}
const colours = new Set()
const context = new Proxy({}, {
  get: (target, name) => name in target
    ? target[name]
    : (...args) => {
        if (args.some(one => typeof one === 'number' && !Number.isFinite(one))) {
          throw new Error(`${String(name)}(${args})`)
        }
        calls[name] = (calls[name] || 0) + 1
        if (name === 'fillRect') colours.add(target.fillStyle)
      },
  set: (target, name, value) => {
    target[name] = value
    return true
  }
})

function element (extra) {
  const listeners = {}
  return {
    style: {},
    children: [],
    clientWidth: 1000,
    clientHeight: 600,
    textContent: '',
    className: '',
    addEventListener: (name, listener) => { listeners[name] = listener },
    fire: (name, event) => listeners[name](event),
    append (...parts) { this.children.push(...parts) },
    getBoundingClientRect: () => ({ left: 10, top: 20 }),
    getContext: () => context,
    ...extra
  }
}

const elements = {
  data: element({ textContent: between('id="data">', '</script>') }),
  plot: element(),
  hint: element(),
  scale: element(),
  legend: element()
}
const window = element({ devicePixelRatio: 2 })
const document = { getElementById: id => elements[id], createElement: () => element() }
vm.runInNewContext(between('<script>\n', '</script>'), { window, document }, { timeout: 20000 })

const plot = window.vegetaPlot
const at = plot.layout()
const events = { first: { ...plot.view() } }
const canvas = elements.plot
// One point, exactly under the pointer.
const series = plot.series[plot.series.length - 1]
const highest = series.y.indexOf(Math.max(...series.y))
window.fire('mousemove', {
  clientX: 10 + at.x(series.x[highest]), clientY: 20 + at.y(series.y[highest])
})
events.hint = elements.hint.textContent
canvas.fire('mousedown', { clientX: 10 + at.x(2), clientY: 100 })
window.fire('mousemove', { clientX: 10 + at.x(4), clientY: 120 })
window.fire('mouseup', {})
events.zoomed = { ...plot.view() }
canvas.fire('mousedown', { clientX: 300, clientY: 100 })
window.fire('mouseup', {})
events.clicked = { ...plot.view() }
elements.scale.fire('click', {})
events.scale = elements.scale.textContent
canvas.fire('dblclick', {})
events.reset = { ...plot.view() }
elements.legend.children[0].fire('click', {})
events.hidden = plot.series.map(one => one.shown)
for (const one of elements.legend.children.slice(1)) one.fire('click', {})
window.fire('resize', {})
events.calls = calls
events.colours = [...colours]
events.labels = elements.legend.children.map(one => one.children[1])
events.series = plot.series.map(one => ({
  label: one.label, error: one.error, colour: one.colour, count: one.count, x: one.x, y: one.y
}))
console.log(JSON.stringify(events))
