'use strict'

// After: the same hash in libuv's pool of threads. Meanwhile the loop is free.

const crypto = require('crypto')
const http = require('http')
const express = require('express')
const { listenOnLoopback } = require('./server_process')

const app = express()

app.get('/', (request, response) => response.send('hello'))

app.get('/login', (request, response, next) => {
  crypto.pbkdf2('correct horse', 'battery staple', 20000, 64, 'sha512', (error, hash) => {
    if (error) next(error)
    else response.send(hash.toString('hex'))
  })
})

listenOnLoopback(http.createServer(app))
