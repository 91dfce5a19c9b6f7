import { createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { filePart, formBody, storedNames, uploadRequest } from '../helpers/file-stage.ts';
import { LoopWatch } from '../helpers/held-loop.ts';
import { RawConnection } from '../helpers/raw-http.ts';

const MIB = 1024 * 1024;

test(
  'FILE-2, ERR-12: eight concurrent uploads of 25 MiB do not block the event loop, and are stored complete',
  { timeout: 60_000 },
  async () => {
    await using world = await createWorld();
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const body = formBody([filePart(Buffer.alloc(25 * MIB, 'parley'))]);
    const loop = new LoopWatch();
    const requestOf = (who: string) => uploadRequest(`host: localhost\r\nauthorization: Bearer dev:${who}\r\n`, body);
    // Requests are built in advance, because copying the bodies would block the event loop too.
    const requests = [requestOf('alice'), requestOf('bob')];
    const send = async (request: Buffer) => {
      const connection = new RawConnection(world.url);
      connection.write(request);
      const reply = await connection.reply();
      connection.end();
      return JSON.parse(reply?.body ?? '').result as { id: string; url: string; size: number };
    };
    const files = await loop.over('eight uploads', () =>
      Promise.all(requests.flatMap((request) => [send(request), send(request), send(request), send(request)])),
    );
    expect(files.map(({ size }) => size)).toEqual(Array(8).fill(25 * MIB));
    expect((await storedNames(world)).length).toBeGreaterThanOrEqual(8);
    for (const file of files.slice(0, 2)) {
      const response = await fetch(world.url + file.url);
      let read = 0;
      for await (const piece of response.body ?? []) read += piece.length;
      expect(read).toBe(25 * MIB);
    }
    await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: files[0]?.id ?? '' }] });
    process.stdout.write(`the event loop was held for ${Math.round(loop.slowest.ms)} ms at most\n`);
  },
);
