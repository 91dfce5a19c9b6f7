import { generateKeyPairSync } from 'node:crypto';
import { theService } from '@parley/server/calls/unit-queue.ts';
import { expect, test } from 'vitest';
import { createWorld } from '../world/world.ts';
import { documented } from './code-blocks.ts';
import { printed } from './programs.ts';

test('DOCS-5: the JWT of docs/guide/embedding.md opens a session in the page', async () => {
  await using world = await createWorld();
  const team = await world.person('team');
  const { id: chat } = await team.api.startChat({ usernames: [], title: 'Help' });
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'https://shop.example';
  const jwks = JSON.stringify({ keys: [publicKey.export({ format: 'jwk' })] });
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
    JWT_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  expect(await printed(program, env)).toBe('Ann Help\n');
});
