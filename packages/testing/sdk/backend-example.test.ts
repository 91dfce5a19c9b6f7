import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { newToken } from '@parley/server/secrets/tokens.ts';
import { expect, test } from 'vitest';
import { documented } from '../documents/code-blocks.ts';
import { tie } from '../servers/lifeline.ts';
import { processEnv } from '../servers/process-env.ts';
import { Actor } from '../world/actor.ts';
import { createWorld } from '../world/world.ts';

const file = fileURLToPath(new URL('../../../examples/own-users/backend.mjs', import.meta.url));

test('TOKEN-13: the backend of docs/SDK.md runs as printed, and gives its users a token', async () => {
  expect(documented('docs/SDK.md', 'backend')).toBe(await readFile(file, 'utf8'));
  await using world = await createWorld();
  const team = await world.person('team');
  const { id: chat_id } = await team.api.startChat({ usernames: [], title: 'Help' });
  const { token: key, hash } = newToken('bk_');
  const keyHash = Buffer.from(hash).toString('hex');
  await world.service.units.run('setBackendKey', theService, { name: 'shop', owner: 'team', keyHash }, 0);
  const env = { ...processEnv(), PARLEY_URL: world.url, PARLEY_BACKEND_KEY: key, PARLEY_CHAT: chat_id, PORT: '0' };
  const backend = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  tie(backend);
  try {
    const { value: port } = await createInterface({ input: backend.stdout })[Symbol.asyncIterator]().next();
    const ask = (cookie: string) =>
      fetch(`http://127.0.0.1:${port}/parley-token`, { method: 'POST', headers: { cookie } });
    expect((await ask('session=unknown')).status).toBe(404);
    const ann = new Actor(world, 'user_7', await (await ask('session=ann')).text());
    expect(await ann.api.getMe()).toMatchObject({ username: 'user_7', display_name: 'Ann' });
    await ann.api.sendMessage({ chat_id, text: 'hello' });
  } finally {
    backend.kill();
  }
});
