import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { ServiceError } from '../core/errors.ts';
import type { Service } from '../service/service.ts';
import { theService } from '../calls/unit-queue.ts';
import { channelPath } from './channel-path.ts';
import { messageOf } from './failure.ts';
import { isAdminRequest, requests } from '../units/admin-requests.ts';

/** Far more than any request has. */
const MAX_REQUEST_BYTES = 65_536;

export interface Channel {
  close(): Promise<void>;
}

/**
 * The way of the admin command into a running service: a socket of the system in DATA_DIR that its owner alone may open
 * (0600), with one JSON line each way. What the command wants written runs as units of the service's own, so that the
 * counter stays in one hand and sockets of ended sessions close with the commit. Two processes that both write would be
 * safe for SQLite, but not for what the service holds in memory.
 */
export async function openChannel(service: Service): Promise<Channel> {
  const path = channelPath(service.config.dataDir);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // Whoever goes away before the answer does not get it.
    socket.on('error', () => socket.destroy());
    listen(socket, (line) => answer(service, line));
  });
  try {
    // One that crashed has left it behind: the lock on DATA_DIR says that no other service is there.
    rmSync(path, { force: true });
    // Nobody else may open it, not even between its making and a change of its mode.
    const umask = process.umask(0o177);
    server.listen(path);
    process.umask(umask);
    await once(server, 'listening');
  } catch (error) {
    service.logger.warn({ err: error }, 'the admin command cannot reach this service');
  }
  return {
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Takes the first line, answers with another, and hangs up. */
function listen(socket: Socket, reply: (line: string) => Promise<string>): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
    const end = text.indexOf('\n');
    if (end === -1 && text.length <= MAX_REQUEST_BYTES) return;
    socket.removeAllListeners('data').resume();
    if (end === -1) socket.destroy();
    else void reply(text.slice(0, end)).then((line) => socket.end(`${line}\n`));
  });
}

async function answer(service: Service, line: string): Promise<string> {
  try {
    const { name, input } = parse(line);
    // The log tells who was changed, not what to: an input may hold the hash of a password.
    service.logger.info({ request: name, username: input.username }, 'the admin command');
    const result = await service.units.run(name, theService, input, service.clock.now());
    return `{"ok":true,"result":${result ?? 'null'}}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) service.logger.error({ err: error }, 'the admin command failed');
    return JSON.stringify({ ok: false, message: messageOf(error) });
  }
}

function parse(line: string) {
  // Checked before anything is made of it.
  const request = JSON.parse(line) as { name?: unknown; input?: unknown } | null;
  const name = request?.name;
  if (!isAdminRequest(name)) throw new ServiceError('invalid_argument', 'this service does not know the request');
  const input = requests[name].safeParse(request?.input);
  if (input.success) return { name, input: input.data };
  const [issue] = input.error.issues;
  throw new ServiceError('invalid_argument', `${issue?.path.join('.')}: ${issue?.message}`);
}
