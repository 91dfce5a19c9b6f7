import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createWorld } from '@parley/testing';
import { documented } from '@parley/testing/documents/code-blocks.ts';
import { expect, test } from 'vitest';

/** A port of this machine that is free at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}

const example = documented('docs/WEBHOOKS.md', 'receiver');

test('WEBHOOK-21: the receiver of docs/WEBHOOKS.md accepts what the service sends, and nothing else', async () => {
  expect(example.split('\n').length).toBeLessThanOrEqual(27);
  const folder = mkdtempSync(join(tmpdir(), 'parley-receiver-'));
  writeFileSync(join(folder, 'receiver.mjs'), example);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  await using world = await createWorld({ env: { WEBHOOK_ENDPOINTS: origin } });
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { secret } = await ann.api.createWebhookSubscription({ url: origin, events: ['messageNew'] });
  const program = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    await bob.api.sendMessage({ chat_id, text: 'one' });
    await bob.api.sendMessage({ chat_id, text: 'two' });
    for (const text of ['one', 'two']) expect((await lines.next()).value).toBe(`events.messageNew ${text}`);
    const forged = await fetch(origin, {
      method: 'POST',
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
        'webhook-signature': 'v1,AAAA',
      },
      body: '{"frames":[]}',
    });
    expect(forged.status).toBe(401);
  } finally {
    program.kill();
    await once(program, 'exit');
    rmSync(folder, { recursive: true });
  }
});
