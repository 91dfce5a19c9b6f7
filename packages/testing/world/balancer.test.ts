import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { Balancer } from './balancer.ts';
import { failure } from './failure.ts';

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A server that greets each connection with its name and then echoes. */
async function node(name: string): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.write(`${name} `);
    socket.pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function dial(balancer: Balancer) {
  const { hostname, port } = new URL(balancer.url);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** Sends a text, ends the connection, and returns what it received. */
async function ask(balancer: Balancer, said = 'hello'): Promise<string> {
  const socket = dial(balancer);
  const received = text(socket);
  socket.end(said);
  return received;
}

test('connections alternate between the nodes; a node that is taken out or unreachable is skipped', async () => {
  const nodes = [await node('a'), await node('b'), await node('c')];
  const [a = '', b = ''] = nodes.map(addressOf);
  await using balancer = await Balancer.start();
  balancer.serve(nodes.map(addressOf));
  expect([await ask(balancer), await ask(balancer), await ask(balancer)]).toEqual(['a hello', 'b hello', 'c hello']);
  balancer.takeOut(a);
  nodes[1]?.close();
  expect(new Set([await ask(balancer), await ask(balancer)])).toEqual(new Set(['c hello']));
  balancer.putIn(a);
  balancer.choose = ([first]) => first;
  expect(await ask(balancer, 'x'.repeat(300_000))).toBe(`a ${'x'.repeat(300_000)}`);
  expect([balancer.connections(a), balancer.connections(b), balancer.connections()]).toEqual([0, 0, 0]);
  balancer.accept(false);
  expect(await failure(ask(balancer))).toMatchObject({ code: 'ECONNRESET' });
  for (const server of nodes) server.close();
});

test('cutting the connections to one node leaves those to others open', async () => {
  const nodes = [await node('a'), await node('b')];
  const [a = '', b = ''] = nodes.map(addressOf);
  await using balancer = await Balancer.start();
  balancer.serve([a, b]);
  const sockets = [dial(balancer), dial(balancer)];
  for (const socket of sockets) await once(socket, 'data');
  const cut = once(sockets[0] ?? dial(balancer), 'error');
  balancer.cut(a);
  expect(await cut).toMatchObject([{ code: 'ECONNRESET' }]);
  expect([balancer.connections(a), balancer.connections(b)]).toEqual([0, 1]);
  sockets[1]?.end('bye');
  expect(String((await once(sockets[1] ?? dial(balancer), 'data'))[0])).toBe('bye');
  for (const server of nodes) server.close();
});
