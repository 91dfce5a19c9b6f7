// Baselines for the service: relays and a bare socket server, each a process of its own. None of them stores anything,
// except the durable relay.
// They speak the part of the wire that the load uses; frame sizes are passed as arguments.
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';

export interface Sizes {
  messageBytes: number;
  deltaBytes: number;
  ackBytes: number;
}

/** Frame sizes from the command line: `--messageBytes=640 …`. */
function sizesOf(args: readonly string[]): Sizes {
  const size = (name: keyof Sizes) =>
    Number(args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? 0);
  return { messageBytes: size('messageBytes'), deltaBytes: size('deltaBytes'), ackBytes: size('ackBytes') };
}

/** `--own`: frames as small as the relay's own words make them, and no replies: a sender's own message answers it. */
const isOwn = (args: readonly string[]): boolean => args.includes('--own');

export interface Member {
  socket: WebSocket;
  stream: Duplex;
  nodrafts: boolean;
}

/** The relays, by the files of this folder. */
export type RelayKind = 'naive' | 'coalescing' | 'durable';

interface Relay {
  /** Sends an event to all members of a room. */
  broadcast(members: ReadonlySet<Member>, event: object, isDelta: boolean): void;
  reply(member: Member, reply: object): void;
}

interface Request {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

const backlog = 4_096;

/**
 * Pads frames of one kind to a number of bytes with a short extra field. The padding is computed once: frames of one
 * kind have equal sizes.
 */
function filler(bytes: number): <Frame extends object>(frame: Frame) => Frame & { f?: string } {
  let filling: string | undefined;
  return (frame) => {
    filling ??= 'x'.repeat(Math.max(0, bytes - JSON.stringify({ ...frame, f: '' }).length));
    return filling === '' ? frame : { ...frame, f: filling };
  };
}

export function runRelay(relay: Relay): void {
  const args = process.argv.slice(2);
  const sizes = sizesOf(args);
  const replies = !isOwn(args);
  const fill = { message: filler(sizes.messageBytes), delta: filler(sizes.deltaBytes), ack: filler(sizes.ackBytes) };
  const rooms = new Map<string, Set<Member>>();
  // Starts with as many digits as it will have, so that frames keep their size.
  let seq = 1_000_000;

  function handle(member: Member, members: ReadonlySet<Member>, request: Request): void {
    const isDelta = request.method === 'streams.append';
    const prev = seq++;
    const event = {
      method: isDelta ? 'events.messageDelta' : 'events.messageNew',
      params: request.params,
      seq,
      prev,
    };
    const ack = { id: request.id, ok: true, result: request.params };
    relay.broadcast(members, isDelta ? fill.delta(event) : fill.message(event), isDelta);
    if (!replies) return;
    relay.reply(member, isDelta ? ack : fill.ack(ack));
  }

  const webSockets = new WebSocketServer({ noServer: true });
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    webSockets.handleUpgrade(request, stream, head, (socket) => {
      const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
      const room = query.get('room') ?? '';
      const member = { socket, stream, nodrafts: query.get('caps') === 'nodrafts' };
      const members = rooms.get(room) ?? new Set<Member>();
      rooms.set(room, members.add(member));
      // The load generator is the only client; `data` is one Buffer by default.
      socket.on('message', (data: Buffer) => handle(member, members, JSON.parse(data.toString())));
      socket.on('close', () => members.delete(member));
      socket.on('error', () => socket.terminate());
      socket.send(JSON.stringify({ method: 'events.hello', params: { token: query.get('token') }, head: seq }));
    });
  });
  server.listen({ host: '127.0.0.1', port: 0, backlog }, () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    process.stdout.write(`${JSON.stringify({ msg: 'ready', url: `http://127.0.0.1:${address.port}` })}\n`);
  });
}
