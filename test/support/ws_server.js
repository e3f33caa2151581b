// A WebSocket server of the npm package ws for the tests; the path says how it behaves. A GET of
// any path answers with what it has counted, and on SIGTERM it writes that to the count file as
// JSON and exits at once.
//   node ws_server.js HOST PORT COUNT_FILE [CERTIFICATE KEY]
'use strict';
const fs = require('fs');
const path = require('path');
const modules = process.env.CARRONADE_NODE_MODULES ||
  path.join(__dirname, '../../build/npm/node_modules');
const {WebSocketServer} = require(path.join(modules, 'ws'));
const [host, port, countFile, certificate, key] = process.argv.slice(2);
const counts = {
  opened: 0, text: 0, binary: 0, bytes: 0, pongs: 0, closes: {}, headers: {}, faults: [],
};

// What becomes of one message; `n` counts those of the connection from 1.
const behaviours = {
  '/echo': (socket, data, isBinary) => socket.send(data, {binary: isBinary}),
  '/ping': (socket, data, isBinary) => {
    socket.ping('are you there?');
    socket.send(data, {binary: isBinary});
  },
  '/pieces': (socket, data, isBinary) => {
    const half = data.length >> 1;
    socket.send(data.subarray(0, half), {binary: isBinary, fin: false});
    socket.ping('between the pieces');
    socket.send(data.subarray(half), {binary: isBinary, fin: true});
  },
  '/twice': (socket, data, isBinary) => {
    socket.send(data, {binary: isBinary});
    socket.send('and once more');
  },
  '/away': (socket, data, isBinary, n) => {
    if (n <= 3) socket.send(data, {binary: isBinary});
    if (n === 3) socket.close(1001, 'going away');
  },
  '/broken': (socket) => socket.close(1011, 'it broke'),
  '/silent': () => {},
  '/other': (socket) => socket.send('something else'),
};

const server = certificate
  ? require('https').createServer(
    {cert: fs.readFileSync(certificate), key: fs.readFileSync(key)})
  : require('http').createServer();
const sockets = new WebSocketServer({noServer: true, perMessageDeflate: true});

server.on('request', (_, response) => response.end(JSON.stringify(counts)));
server.on('upgrade', (request, socket, head) => {
  counts.headers = request.headers;
  const behave = behaviours[request.url];
  if (!behave) return socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  sockets.handleUpgrade(request, socket, head, (client) => {
    counts.opened++;
    let n = 0;
    client.on('message', (data, isBinary) => {
      counts[isBinary ? 'binary' : 'text']++;
      counts.bytes += data.length;
      behave(client, data, isBinary, ++n);
    });
    client.on('pong', () => counts.pongs++);
    client.on('close', (code) => { counts.closes[code] = (counts.closes[code] || 0) + 1; });
    client.on('error', (fault) => counts.faults.push(fault.message));
  });
});
server.listen(Number(port), host);

process.on('SIGTERM', () => {
  fs.writeFileSync(countFile, JSON.stringify(counts));
  process.exit(0);
});
