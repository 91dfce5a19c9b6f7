import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { expect, test } from 'vitest';
import { createWorld } from '../world/world.ts';
import { documented } from './code-blocks.ts';
import { printed } from './programs.ts';

test('DOCS-5: the JWT of docs/guide/embedding.md opens a session in the page', async () => {
  await using world = await createWorld();
  const team = await world.person('team');
  const { id: chat } = await team.api.startChat({ usernames: [], title: 'Help' });
  const folder = await mkdtemp(join(tmpdir(), 'parley-keys-'));
  const made = async (file: string) => readFile(join(folder, file), 'utf8');
  await printed(documented('docs/guide/embedding.md', 'make-keys'), {}, folder);
  const issuer = 'https://shop.example';
  const jwks = await made('jwks.json');
  await world.service.units.run(
    'setBackendIssuer',
    theService,
    { name: 'shop', owner: 'team', issuer, audience: 'parley', jwks },
    Date.now(),
  );
  const program = `${documented('docs/guide/embedding.md', 'sign-jwt')}
    ${documented('docs/guide/embedding.md', 'exchange-jwt')}
    const client = await connect(process.env.PARLEY_URL, jwtFor({ id: 'user-7', name: 'Ann' }));
    const { items } = await client.api.getChats();
    console.log((await client.api.getMe()).display_name, items.map(({ title }) => title).join());
    client.close();`;
  const env = {
    PARLEY_URL: world.url,
    PARLEY_CHAT: chat,
    JWT_ISSUER: issuer,
    JWT_PRIVATE_KEY: await made('jwt-key.pem'),
  };
  expect(await printed(program, env)).toBe('Ann Help\n');
  await rm(folder, { recursive: true });
});
