import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

// Servers that all tests of a run share: the process that starts the workers starts each when the first test asks for
// it, over a local socket, and ends it with the run.

export interface SharedServer {
  url: string;
  stop(): Promise<void>;
}

type Answer = { url: string } | { error: string };

const SOCKET = 'PARLEY_SHARED_SERVERS';

/** Answers whoever asks for a server by its name; the answer ends all of them. */
export async function shareServers(start: Record<string, () => Promise<SharedServer>>): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-shared-'));
  const started = new Map<string, Promise<SharedServer>>();
  const answer = async (socket: Socket): Promise<void> => {
    const [asked] = (await once(socket, 'data')) as [Buffer]; // a few letters come at once
    const name = asked.toString();
    let said: Answer;
    try {
      const server = started.get(name) ?? start[name]?.();
      if (!server) throw new Error(`no server is named ${name}`);
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

/** The address of a shared server; undefined outside of a run of all tests. */
export async function sharedServer(name: string): Promise<string | undefined> {
  const path = process.env[SOCKET];
  if (path === undefined) return undefined;
  const socket = connect(path);
  socket.write(name);
  const answer = JSON.parse(await text(socket)) as Answer; // as above
  if ('error' in answer) throw new Error(answer.error);
  return answer.url;
}
