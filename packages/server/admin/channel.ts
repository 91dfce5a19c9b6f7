import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { ServiceError } from '../core/errors.ts';
import type { Service } from '../service/interface.ts';
import { theService } from '../calls/unit-queue.ts';
import { channelPath } from './channel-path.ts';
import { messageOf } from './failure.ts';
import { type AdminInput, type AdminRequest, isAdminRequest, requests } from '../units/admin-requests.ts';

/** Maximum size of a request; the largest contains a JWK Set of 64 KiB, whose quotes are escaped. */
const MAX_REQUEST_BYTES = 262_144;

export interface Channel {
  close(): Promise<void>;
}

/**
 * The admin command's connection to a running service: a Unix socket in DATA_DIR that only its owner may open (0600),
 * with one JSON line each way. Requests run as units of the service, so that one process assigns all log numbers and
 * sockets of ended sessions close with the commit. SQLite would allow a second process to write, but the service's
 * memory would not match its changes.
 */
export async function openChannel(service: Service): Promise<Channel> {
  const path = channelPath(service.config.dataDir);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A client that disconnects early gets no reply; the error is not reported.
    socket.on('error', () => socket.destroy());
    listen(socket, (line) => answer(service, line));
  });
  try {
    // A crashed service leaves its socket behind. The lock on DATA_DIR guarantees that no other service is running.
    rmSync(path, { force: true });
    // The umask makes the socket private from its creation; changing its mode afterwards would leave a gap.
    const umask = process.umask(0o177);
    server.listen(path);
    process.umask(umask);
    await once(server, 'listening');
  } catch (error) {
    service.logger.warn({ err: error }, 'cannot listen for the admin command');
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

/** Reads one line, replies with one line, and closes the connection. */
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
    // Logs what it is about but not the whole input, which may contain the hash of a password.
    service.logger.info({ request: name, ...subjectOf(input) }, 'admin request');
    const result = await service.units.run(name, theService, input, service.clock.now());
    return `{"ok":true,"result":${result ?? 'null'}}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) service.logger.error({ err: error }, 'admin request failed');
    return JSON.stringify({ ok: false, message: messageOf(error) });
  }
}

/** Whom or what a request is about: an account, or the name of a backend or of an emoji. */
const subjectOf = (input: AdminInput<AdminRequest>): { username?: string | undefined; name?: string | undefined } => ({
  username: 'username' in input ? input.username : undefined,
  name: 'name' in input ? input.name : undefined,
});

function parse(line: string) {
  // The cast only names the fields; their values are validated below.
  const request = JSON.parse(line) as { name?: unknown; input?: unknown } | null;
  const name = request?.name;
  if (!isAdminRequest(name)) throw new ServiceError('invalid_argument', 'unknown request');
  const input = requests[name].safeParse(request?.input);
  if (input.success) return { name, input: input.data };
  const [issue] = input.error.issues;
  throw new ServiceError('invalid_argument', `${issue?.path.join('.')}: ${issue?.message}`);
}
