// A Node http or https server for the tests; the path says how it answers. On SIGTERM it
// writes "REQUESTS CONNECTIONS" to the count file and exits at once, as a crash would. The file is
// there from the first request on.
//   node node_server.js HOST PORT COUNT_FILE [CERTIFICATE KEY]
'use strict';
const fs = require('fs');
const [host, port, countFile, certificate, key] = process.argv.slice(2);
let requests = 0;
let connections = 0;
const seen = new WeakSet();  // connections that brought a request: the start-up probe brings none

const routes = {
  '/': (response) => response.end('hello from node\n'),
  '/chunked': (response) => {
    response.write('first ');
    setImmediate(() => {
      response.write('second ');
      response.addTrailers({'X-Sum': '12'});
      response.end('third');
    });
  },
  '/close': (response) => {
    response.setHeader('Connection', 'close');
    response.end('goodbye\n');
  },
  '/until-close': (response) => {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.removeHeader('Content-Length');
    response.write('ends with ');
    setImmediate(() => response.end('the connection\n'));
  },
  '/old': (response) => {
    response.socket.end('HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nas in 1996\n');
  },
  '/slow': (response) => setTimeout(() => response.end('at last\n'), 100),
};

const options = certificate
  ? {cert: fs.readFileSync(certificate), key: fs.readFileSync(key)} : {};
const server = require(certificate ? 'https' : 'http').createServer(options);
server.on('request', (request, response) => {
  request.resume();
  const route = routes[request.url];
  requests += 1;
  if (requests === 1) fs.writeFileSync(countFile, '1 1\n');
  if (!seen.has(request.socket)) {
    seen.add(request.socket);
    connections += 1;
  }
  if (route) {
    route(response);
  } else {
    response.statusCode = 404;
    response.end();
  }
});
server.on('clientError', (error, socket) => socket.destroy());
process.on('SIGTERM', () => {
  fs.writeFileSync(countFile, `${requests} ${connections}\n`);
  process.exit(0);
});
server.listen({host, port: Number(port), backlog: 1024});
