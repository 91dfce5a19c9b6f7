import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

/** The minimum that a socket costs: `ws` accepts it, sends a hello, and does nothing more. */
const server = createServer();
const webSockets = new WebSocketServer({ server });
webSockets.on('connection', (socket) => socket.send('{"method":"events.hello","params":{}}'));
server.listen({ host: '127.0.0.1', port: 0, backlog: 4_096 }, () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${address.port}` })}\n`);
});
