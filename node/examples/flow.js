'use strict'

// A flow: make a product, then with the id out of that answer its catalog.  node flow.js [REQUESTS]
// Each connection goes through the list again and again, with a `context` of its own.

const carronade = require('carronade')
const { startServer } = require('./server_process')

const amount = Number(process.argv[2] || 2000)
const headers = { 'Content-Type': 'application/json' }

const requests = [
  {
    method: 'POST',
    path: '/products',
    headers,
    body: JSON.stringify({ name: 'a carronade, 32 pounds' }),
    onResponse(status, body, context) {
      if (status === 201) context.id = JSON.parse(body).id
    }
  },
  {
    method: 'POST',
    headers,
    // Called when the answer above has come. Without an id there is nothing to send: returning
    // nothing begins the list again, which the result counts as a reset.
    setupRequest(request, context) {
      if (!context.id) return undefined
      const body = JSON.stringify({ product: context.id, season: context.season })
      return { ...request, path: `/products/${context.id}/catalog`, body }
    }
  }
]

async function main() {
  const server = await startServer('shop_server.js')
  const result = await carronade({
    url: server.url,
    connections: 10,
    amount,
    requests,
    initialContext: { season: 'winter' }
  })
  const stats = await (await fetch(`${server.url}/stats`)).json()
  server.stop()
  console.log(carronade.printResult(result, { outputStream: process.stdout }))
  console.log(`the server made ${stats.products} products and ${stats.catalogs} catalogs; ` +
    `${stats.unknownIds} catalogs were asked for with an id that it had not given out`)
}

main()
