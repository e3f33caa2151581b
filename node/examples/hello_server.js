'use strict'

// Answers everything with a few bytes.

const http = require('http')
const { listenOnLoopback } = require('./server_process')

listenOnLoopback(http.createServer((request, response) => {
  response.end('hello world')
}))
