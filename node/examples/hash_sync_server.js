'use strict'

// Before: the password is hashed on the one thread that everybody's requests are answered on.

const crypto = require('crypto')
const http = require('http')
const express = require('express')
const { listenOnLoopback } = require('./server_process')

const app = express()

app.get('/', (request, response) => response.send('hello'))

app.get('/login', (request, response) => {
  const hash = crypto.pbkdf2Sync('correct horse', 'battery staple', 20000, 64, 'sha512')
  response.send(hash.toString('hex'))
})

listenOnLoopback(http.createServer(app))
