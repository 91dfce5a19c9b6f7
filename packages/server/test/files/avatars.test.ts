import { makeAvatar } from '@parley/server/files/avatars.ts';
import { createWorld, ManualClock, unknownId } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { accountByName } from '../../store/accounts.ts';
import { get, photo, storedNames, upload } from '../helpers/file-stage.ts';

test('FILE-14: an avatar is a square that anyone may fetch and cache, and replaces the previous one', async () => {
  await using world = await createWorld();
  const alice = await world.person('alice');
  const wide = await upload(alice, await photo('jpeg', { width: 900, height: 300 }), 'me.jpg');
  const first = await alice.api.updateProfile({ avatar_file_id: wide.id });
  expect(first.avatar_url).toMatch(/^\/avatars\/[\w-]{22}\.webp$/);
  const response = await get(world, first.avatar_url);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'cross-origin',
  });
  const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect([width, height]).toEqual([256, 256]);
  const second = await alice.api.updateProfile({ avatar_file_id: wide.id });
  expect(second.avatar_url).not.toBe(first.avatar_url);
  await world.settle();
  expect((await get(world, first.avatar_url)).status).toBe(404);
  expect((await get(world, second.avatar_url)).status).toBe(200);
  expect((await storedNames(world)).filter((name) => name.startsWith('avatar-'))).toHaveLength(1);
  for (const name of ['x', '..%2f..%2fsecrets.key', 'A'.repeat(22), `${'A'.repeat(22)}%00`])
    expect((await get(world, `/avatars/${name}.webp`)).status).toBe(404);
});

test(
  'FILE-14: only one’s own photo can become an avatar; unused avatars are removed a day later',
  { tags: ['long'] },
  async () => {
    const clock = new ManualClock();
    await using world = await createWorld({ clock });
    const { alice, bob } = await world.people('alice', 'bob');
    const { id: chat_id } = await world.direct(alice, bob);
    const [picture, text] = [await upload(alice, await photo('png'), 'me.png'), await upload(alice, 'no photo')];
    await alice.api.sendMessage({ chat_id, text: '', attachments: [{ id: picture.id }] });
    const keyOf = async (username: string) => (await world.service.read.get(accountByName, username))?.key ?? 0;
    const make = async (username: string, id: string) =>
      makeAvatar(world.service.files, { key: await keyOf(username) }, id);
    expect(await failure(make('alice', unknownId))).toMatchObject({ code: 'not_found', message: 'not found: file' });
    // Visible in a message, but uploaded by another account.
    expect(await failure(make('bob', picture.id))).toMatchObject({ code: 'not_found', message: 'not found: file' });
    expect(await failure(make('alice', text.id))).toMatchObject({
      code: 'invalid_argument',
      parameters: { field: 'avatar_file_id' },
    });
    const { name, size } = await make('alice', picture.id);
    expect(size).toBeGreaterThan(0);
    expect((await get(world, `/avatars/${name}.webp`)).status).toBe(404);
    expect(await storedNames(world)).toContain(`avatar-${name}`);
    await clock.advance(86_400_000 + 61_000);
    await world.settle();
    expect(await storedNames(world)).not.toContain(`avatar-${name}`);
  },
);
