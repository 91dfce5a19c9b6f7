import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

// Servers shared by all tests of a run: the main process starts each when the first test requests it over a local
// socket, and stops it after the run.

interface SharedServer {
  url: string;
  stop(): Promise<void>;
}

type Answer = { url: string } | { error: string };

const SOCKET = 'PARLEY_SHARED_SERVERS';

/** Serves requests for a server by name; the returned function stops all of them. */
export async function shareServers(start: Record<string, () => Promise<SharedServer>>): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shared-'));
  const started = new Map<string, Promise<SharedServer>>();
  const answer = async (socket: Socket): Promise<void> => {
    const [asked] = (await once(socket, 'data')) as [Buffer]; // a few bytes arrive in one piece
    const name = asked.toString();
    let said: Answer;
    try {
      const server = started.get(name) ?? start[name]?.();
      if (!server) throw new Error(`unknown server: ${name}`);
      started.set(name, server);
      said = { url: (await server).url };
    } catch (error) {
      said = { error: String(error) };
    }
    socket.end(JSON.stringify(said));
  };
  const server = createServer((socket) => {
    answer(socket).catch(() => socket.destroy());
  });
  server.listen(join(folder, 'socket')).unref();
  await once(server, 'listening');
  process.env[SOCKET] = join(folder, 'socket');
  return async () => {
    server.close();
    const ends = [...started.values()].map(async (one) => (await one).stop());
    await Promise.allSettled(ends);
    rmSync(folder, { recursive: true });
  };
}

/** The address of a shared server; undefined if the tests do not run under vitest's global setup. */
export async function sharedServer(name: string): Promise<string | undefined> {
  const path = process.env[SOCKET];
  if (path === undefined) return undefined;
  const socket = connect(path);
  socket.write(name);
  const answer = JSON.parse(await text(socket)) as Answer; // written by shareServers
  if ('error' in answer) throw new Error(answer.error);
  return answer.url;
}
