// The page of `vegeta plot`: latencies over time on a canvas. Drag to zoom into a span of time,
// double click to see all again; the legend turns series on and off.
(function () {
  'use strict'

  const MARGIN = { left: 76, right: 16, top: 12, bottom: 44 }
  const OK_COLOURS = ['#1f77b4', '#2ca02c', '#9467bd', '#17a2b8', '#8c7a00', '#5c677d']
  const ERROR_COLOURS = ['#e0301e', '#ff7f50', '#b5003c', '#ff5c8a', '#c1440e', '#7f1d1d']
  const LEAST_DRAG = 5 // pixels; less is a click
  const NEAR = 24 // pixels between the pointer and the point it is about

  const data = JSON.parse(document.getElementById('data').textContent)
  const canvas = document.getElementById('plot')
  const context = canvas.getContext('2d')
  const hint = document.getElementById('hint')
  const scale = document.getElementById('scale')

  const series = data.series.map(one => {
    const colours = one.error ? ERROR_COLOURS : OK_COLOURS
    return { ...one, shown: true, colour: colours[one.run % colours.length] }
  })
  const whole = extent(series)
  let view = whole
  let logarithmic = false
  let drag = null // {from, to} in pixels
  let pointer = null // {x, y} in pixels

  function extent (list) {
    let from = Infinity
    let to = -Infinity
    for (const one of list) {
      if (one.x.length === 0) continue
      from = Math.min(from, one.x[0])
      to = Math.max(to, one.x[one.x.length - 1])
    }
    if (from > to) return { from: 0, to: 1 }
    return from === to ? { from: from - 0.5, to: to + 0.5 } : { from, to }
  }

  // Index of the first element that is not below `value`; `sorted` rises.
  function firstFrom (sorted, value) {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle] < value) low = middle + 1
      else high = middle
    }
    return low
  }

  // What of a series is in view, with one point beyond on each side for the line to go on to.
  function visible (one) {
    const first = Math.max(firstFrom(one.x, view.from) - 1, 0)
    let last = firstFrom(one.x, view.to)
    while (last < one.x.length && one.x[last] <= view.to) last++
    return { first, last: Math.min(last + 1, one.x.length) }
  }

  // Of the points in view; 0 is in it unless the scale is logarithmic.
  function latencyRange () {
    let low = Infinity
    let high = 0
    for (const one of series) {
      if (!one.shown) continue
      for (let i = firstFrom(one.x, view.from); i < one.x.length && one.x[i] <= view.to; i++) {
        high = Math.max(high, one.y[i])
        if (one.y[i] > 0) low = Math.min(low, one.y[i])
      }
    }
    if (high === 0) return { low: logarithmic ? 0.001 : 0, high: 1 }
    if (!logarithmic) return { low: 0, high: high * 1.05 }
    return {
      low: 10 ** Math.floor(Math.log10(low)),
      high: 10 ** Math.ceil(Math.log10(high * 1.01))
    }
  }

  function layout () {
    const width = canvas.clientWidth
    const height = canvas.clientHeight
    const area = {
      left: MARGIN.left,
      right: Math.max(width - MARGIN.right, MARGIN.left + 1),
      top: MARGIN.top,
      bottom: Math.max(height - MARGIN.bottom, MARGIN.top + 1)
    }
    const latency = latencyRange()
    const inverse = logarithmic ? Math.log10 : value => value
    const low = inverse(latency.low)
    const perUnit = (area.bottom - area.top) / (inverse(latency.high) - low)
    const perSecond = (area.right - area.left) / (view.to - view.from)
    return {
      width,
      height,
      area,
      latency,
      x: seconds => area.left + (seconds - view.from) * perSecond,
      y: ms => area.bottom - (inverse(Math.max(ms, latency.low)) - low) * perUnit,
      seconds: x => view.from + (x - area.left) / perSecond
    }
  }

  // Round numbers from `low` to `high`, about `count` of them.
  function roundTicks (low, high, count) {
    const rough = (high - low) / count
    const power = 10 ** Math.floor(Math.log10(rough))
    const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= rough)
    const ticks = []
    for (let i = Math.ceil(low / step); i * step <= high; i++) ticks.push(i * step)
    return ticks
  }

  function powerTicks (low, high) {
    const ticks = []
    for (let i = Math.round(Math.log10(low)); 10 ** i <= high * 1.001; i++) ticks.push(10 ** i)
    return ticks
  }

  function number (value) {
    return String(Number(value.toPrecision(6)))
  }

  function drawAxes (at) {
    const { area } = at
    context.strokeStyle = '#e4e7eb'
    context.fillStyle = '#4a5560'
    context.lineWidth = 1
    context.font = '12px system-ui, sans-serif'
    context.textAlign = 'center'
    context.textBaseline = 'top'
    for (const tick of roundTicks(view.from, view.to, Math.max(at.width / 110, 2))) {
      line(at.x(tick), area.top, at.x(tick), area.bottom)
      context.fillText(number(tick), at.x(tick), area.bottom + 6)
    }
    context.fillText('seconds since the first request', (area.left + area.right) / 2,
      area.bottom + 24)
    context.textAlign = 'right'
    context.textBaseline = 'middle'
    const { low, high } = at.latency
    const ticks = logarithmic
      ? powerTicks(low, high)
      : roundTicks(low, high, Math.max(at.height / 60, 2))
    for (const tick of ticks) {
      line(area.left, at.y(tick), area.right, at.y(tick))
      context.fillText(number(tick), area.left - 8, at.y(tick))
    }
    context.save()
    context.translate(14, (area.top + area.bottom) / 2)
    context.rotate(-Math.PI / 2)
    context.textAlign = 'center'
    context.fillText('latency in ms', 0, 0)
    context.restore()
  }

  function line (x1, y1, x2, y2) {
    context.beginPath()
    context.moveTo(x1, y1)
    context.lineTo(x2, y2)
    context.stroke()
  }

  // Errors are dots, with nothing to be read into the space between them.
  function drawSeries (one, at) {
    const { first, last } = visible(one)
    context.strokeStyle = one.colour
    context.fillStyle = one.colour
    const crowded = last - first > (at.area.right - at.area.left) / 3
    if (!one.error) {
      context.lineWidth = 1
      context.globalAlpha = crowded ? 0.85 : 0.45
      context.beginPath()
      for (let i = first; i < last; i++) {
        if (i === first) context.moveTo(at.x(one.x[i]), at.y(one.y[i]))
        else context.lineTo(at.x(one.x[i]), at.y(one.y[i]))
      }
      context.stroke()
      context.globalAlpha = 1
      if (crowded) return
    }
    const size = one.error ? 4 : 3
    for (let i = first; i < last; i++) {
      context.fillRect(at.x(one.x[i]) - size / 2, at.y(one.y[i]) - size / 2, size, size)
    }
  }

  function drawDrag (at) {
    if (drag === null) return
    context.fillStyle = 'rgba(31, 119, 180, 0.15)'
    context.fillRect(Math.min(drag.from, drag.to), at.area.top, Math.abs(drag.to - drag.from),
      at.area.bottom - at.area.top)
  }

  // The point that is nearest to the pointer, and near enough.
  function nearest (at) {
    let found = null
    for (const one of series) {
      if (!one.shown || pointer === null) continue
      const { first, last } = visible(one)
      for (let i = first; i < last; i++) {
        const distance = Math.hypot(at.x(one.x[i]) - pointer.x, at.y(one.y[i]) - pointer.y)
        if (distance < (found === null ? NEAR : found.distance)) found = { one, i, distance }
      }
    }
    return found
  }

  function drawNearest (at) {
    const found = drag === null ? nearest(at) : null
    if (found === null) {
      hint.textContent = 'Drag to zoom into a span of time, double click to see all.'
      return
    }
    const seconds = found.one.x[found.i]
    const ms = found.one.y[found.i]
    hint.textContent = `${found.one.label}: ${number(ms)} ms at ${number(seconds)} s`
    context.strokeStyle = '#111'
    context.beginPath()
    context.arc(at.x(seconds), at.y(ms), 6, 0, 2 * Math.PI)
    context.stroke()
  }

  function draw () {
    const ratio = window.devicePixelRatio || 1
    canvas.width = Math.round(canvas.clientWidth * ratio)
    canvas.height = Math.round(canvas.clientHeight * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const at = layout()
    context.clearRect(0, 0, at.width, at.height)
    drawAxes(at)
    context.save()
    context.beginPath()
    context.rect(at.area.left, at.area.top, at.area.right - at.area.left,
      at.area.bottom - at.area.top)
    context.clip()
    for (const error of [false, true]) {
      for (const one of series) if (one.shown && one.error === error) drawSeries(one, at)
    }
    drawDrag(at)
    context.restore()
    drawNearest(at)
  }

  function zoom (from, to) {
    view = to > from ? { from, to } : whole
    draw()
  }

  function place (event) {
    const box = canvas.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }

  canvas.addEventListener('mousedown', event => {
    const { x } = place(event)
    drag = { from: x, to: x }
  })
  window.addEventListener('mousemove', event => {
    pointer = place(event)
    if (drag !== null) drag.to = pointer.x
    draw()
  })
  window.addEventListener('mouseup', () => {
    if (drag === null) return
    const { from, to } = drag
    drag = null
    const at = layout()
    const seconds = [from, to]
      .map(x => Math.min(Math.max(x, at.area.left), at.area.right))
      .map(at.seconds)
      .sort((a, b) => a - b)
    if (Math.abs(to - from) >= LEAST_DRAG) zoom(seconds[0], seconds[1])
    else draw()
  })
  canvas.addEventListener('dblclick', () => zoom(0, 0))
  scale.addEventListener('click', () => {
    logarithmic = !logarithmic
    scale.textContent = logarithmic ? 'linear scale' : 'logarithmic scale'
    draw()
  })
  window.addEventListener('resize', draw)

  function addToLegend (one) {
    const entry = document.createElement('button')
    const mark = document.createElement('span')
    mark.className = 'mark'
    mark.style.background = one.colour
    const points = one.x.length < one.count ? `, ${one.x.length} of them drawn` : ''
    entry.append(mark, `${one.label} (${one.count}${points})`)
    entry.addEventListener('click', () => {
      one.shown = !one.shown
      entry.className = one.shown ? '' : 'off'
      draw()
    })
    document.getElementById('legend').append(entry)
  }

  series.forEach(addToLegend)
  // For tests, and for whoever opens the console.
  window.vegetaPlot = { series, zoom, view: () => view, layout }
  draw()
})()
