'use strict'
// Reads a file of --hdr with HdrHistogram's own code and says in JSON what is in each line and
// under each tag: `node read_hdr.js LOG`. NODE_PATH names the folder that has hdr-histogram-js.
const fs = require('fs')
const hdr = require('hdr-histogram-js')

const text = fs.readFileSync(process.argv[2], 'utf8')
const reader = new hdr.HistogramLogReader(text)
const facts = (histogram) => ({
  count: histogram.totalCount,
  max: histogram.maxValue,
  p50: histogram.getValueAtPercentile(50),
  p99: histogram.getValueAtPercentile(99),
  p99_9: histogram.getValueAtPercentile(99.9)
})

const lines = []
const byTag = new Map()
for (;;) {
  const histogram = reader.nextIntervalHistogram()
  if (histogram === null) break
  const tag = histogram.tag === 'NO TAG' ? '' : histogram.tag
  const [start, end] = [histogram.startTimeStampMsec, histogram.endTimeStampMsec]
  lines.push({ tag, start, end, ...facts(histogram) })
  if (byTag.has(tag)) byTag.get(tag).add(histogram)
  else byTag.set(tag, histogram)
}
const tags = {}
for (const [tag, histogram] of byTag) {
  tags[tag] = { ...facts(histogram), table: histogram.outputPercentileDistribution(5, 1e6) }
}
process.stdout.write(JSON.stringify({ lines, tags }))
