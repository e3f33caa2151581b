'use strict'

// A shop:  POST /products           {"name": …}  ->  201 {"id": …}
//          POST /products/ID/catalog             ->  201, or 404 for an id it has not given out
//          GET /stats                            ->  what it was asked so far

const crypto = require('crypto')
const http = require('http')
const { listenOnLoopback } = require('./server_process')

const ids = new Set()
const stats = { products: 0, catalogs: 0, unknownIds: 0 }

function answer(method, path) {
  if (method === 'POST' && path === '/products') {
    const id = crypto.randomUUID()
    ids.add(id)
    stats.products += 1
    return [201, { id }]
  }
  const catalog = /^\/products\/([^/]+)\/catalog$/.exec(path)
  if (method === 'POST' && catalog) {
    if (!ids.has(catalog[1])) {
      stats.unknownIds += 1
      return [404, { error: 'no such product' }]
    }
    stats.catalogs += 1
    return [201, { product: catalog[1] }]
  }
  if (method === 'GET' && path === '/stats') return [200, stats]
  return [404, { error: 'no such page' }]
}

listenOnLoopback(http.createServer((request, response) => {
  request.resume().on('end', () => {
    const [status, document] = answer(request.method, request.url)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(document))
  })
}))
