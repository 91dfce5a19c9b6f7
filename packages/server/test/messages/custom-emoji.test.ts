import { randomUUID } from 'node:crypto';
import { type Actor, createWorld, type World } from '@parley/testing';
import { turnOfLoop } from '@parley/testing/clocks/turn-of-loop.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { get, photo, storedNames, upload } from '../helpers/file-stage.ts';

const pictureOf = async (actor: Actor, bytes?: Buffer<ArrayBuffer>) =>
  (await upload(actor, bytes ?? (await photo('png')), 'party.png')).id;
const add = async (actor: Actor, name: string) => actor.api.createEmoji({ name, file_id: await pictureOf(actor) });
const pictures = async (world: World) => (await storedNames(world)).filter((name) => name.startsWith('emoji-'));
async function swept(world: World): Promise<void> {
  while (world.services.some(({ files }) => !files.isIdle)) await turnOfLoop();
}

test('EMOJI-1, EMOJI-3, EMOJI-4: a person makes an emoji, which every account lists and anyone may fetch', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const bytes = await photo('gif');
  const made = await ann.api.createEmoji({ name: 'party_cat', file_id: await pictureOf(ann, bytes) });
  expect(made).toEqual({
    name: 'party_cat',
    url: expect.stringMatching(/^\/emoji\/[\w-]{22}$/u),
    is_own: true,
    created_at: expect.any(String),
  });
  const { is_own: _, ...others } = made;
  const bot = await world.bot(bob);
  await world.restart();
  expect(await ann.api.getEmoji()).toEqual({ items: [made] });
  for (const reader of [bob, bot]) expect(await reader.api.getEmoji()).toEqual({ items: [others] });
  const response = await get(world, made.url);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/gif',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=31536000, immutable',
  });
  for (const picture of ['nothing', '..%2f..%2fparley.db', 'x'.repeat(22)])
    expect((await get(world, `/emoji/${picture}`)).status).toBe(404);
});

test('EMOJI-1: names, files and callers that cannot be', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const file_id = await pictureOf(ann);
  for (const name of ['a', 'x'.repeat(33), 'Party', 'a-b', ':party:', 'pärty', ''])
    await expect(ann.api.createEmoji({ name, file_id }), name).rejects.toMatchObject({ status: 400 });
  for (const id of [randomUUID(), await pictureOf(bob)])
    await expect(ann.api.createEmoji({ name: 'party', file_id: id })).rejects.toMatchObject({ status: 404 });
  const bot = await world.bot(ann);
  const ofBot = await pictureOf(bot);
  await expect(bot.api.createEmoji({ name: 'party', file_id: ofBot })).rejects.toMatchObject({ status: 403 });
  const both = await Promise.allSettled([
    ann.api.createEmoji({ name: 'party', file_id }),
    bob.api.createEmoji({ name: 'party', file_id: await pictureOf(bob) }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const before = await pictures(world);
  await expect(ann.api.createEmoji({ name: 'party', file_id })).rejects.toMatchObject({ status: 409 });
  expect(await pictures(world)).toEqual(before);
  expect((await ann.api.getEmoji()).items).toHaveLength(1);
});

test('EMOJI-2: a picture has one of four types, at most 256 KiB and at most 512 pixels each way', async () => {
  await using world = await createWorld();
  const { ann } = await world.people('ann');
  for (const type of ['png', 'jpeg', 'gif', 'webp'] as const)
    await ann.api.createEmoji({ name: `one_${type}`, file_id: await pictureOf(ann, await photo(type)) });
  const largest = await photo('png', { width: 512, height: 512 });
  await ann.api.createEmoji({ name: 'largest', file_id: await pictureOf(ann, largest) });
  const noise = await sharp(Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))), {
    raw: { width: 200, height: 100, channels: 3 },
  })
    .resize(400, 400, { kernel: 'nearest' })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(noise.length).toBeGreaterThan(256 * 1024);
  const refused = {
    avif: await photo('avif'),
    wide: await photo('png', { width: 513, height: 10 }),
    high: await photo('png', { width: 10, height: 513 }),
    text: Buffer.from('no picture'),
    noise: Buffer.from(noise),
  };
  for (const [name, bytes] of Object.entries(refused)) {
    const file_id = await pictureOf(ann, bytes);
    await expect(ann.api.createEmoji({ name, file_id }), name).rejects.toMatchObject({
      status: 400,
      parameters: { field: 'file_id' },
    });
  }
  expect((await ann.api.getEmoji()).items).toHaveLength(5);
});

test('EMOJI-2, EMOJI-3: a person has at most 100 emoji, the instance 1,000; they are listed in pages', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  await add(ann, 'first');
  const [row] = await world.sql<{ account_key: number }>('SELECT account_key FROM emoji');
  const insert = async (from: number, to: number, account: number) => {
    const values = Array.from({ length: to - from }, (_, at) => {
      const name = `n${String(from + at).padStart(4, '0')}`;
      return `('${name}', ${account}, '${name}', 'image/png', 1, 0)`;
    });
    const sql = `INSERT INTO emoji (name, account_key, picture, mime_type, size, created_at) VALUES ${values.join(', ')}`;
    await world.withSql(async (connection) => connection.run({ sql }));
  };
  await insert(0, 98, row?.account_key ?? 0);
  await add(ann, 'hundredth');
  await expect(add(ann, 'one_more')).rejects.toMatchObject({ status: 400, parameters: { field: 'name' } });
  await insert(98, 997, 0);
  await add(bob, 'thousandth');
  await expect(add(bob, 'one_more')).rejects.toMatchObject({ status: 400, parameters: { field: 'name' } });
  const names: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await bob.api.getEmoji({ limit: 150, cursor });
    names.push(...page.items.map(({ name }) => name));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  expect(names).toHaveLength(1_000);
  expect(names).toEqual(names.toSorted());
  await expect(bob.api.getEmoji({ cursor: 'nonsense' })).rejects.toMatchObject({ status: 400 });
});

test('EMOJI-5: its maker deletes an emoji, and its picture goes; what was written stays', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { url } = await add(ann, 'party');
  const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'a :party: tonight' });
  await bob.api.setMessageReaction({ message_id, emoji: ':party:' });
  await expect(bob.api.deleteEmoji({ name: 'party' })).rejects.toMatchObject({ status: 403 });
  await expect(ann.api.deleteEmoji({ name: 'other' })).rejects.toMatchObject({ status: 404 });
  expect(await pictures(world)).toHaveLength(1);
  await ann.api.deleteEmoji({ name: 'party' });
  await swept(world);
  expect(await pictures(world)).toEqual([]);
  expect((await get(world, url)).status).toBe(404);
  await expect(ann.api.deleteEmoji({ name: 'party' })).rejects.toMatchObject({ status: 404 });
  const { items } = await ann.api.getChatHistory({ chat_id });
  expect(items).toMatchObject([{ content: 'a :party: tonight', reactions: [{ emoji: ':party:', count: 1 }] }]);
  await add(bob, 'party');
  expect(await pictures(world)).toHaveLength(1);
});

test('EMOJI-5: the export lists an account’s emoji, and deleting the account deletes them', async () => {
  await using world = await createWorld();
  const password = 'correct horse battery staple';
  const ann = await world.member('ann');
  const { bob } = await world.people('bob');
  await add(ann, 'hers');
  await add(bob, 'his');
  const { url } = await ann.api.exportMyData({ password });
  expect(await (await get(world, url)).json()).toMatchObject({ emoji: [{ name: 'hers' }] });
  await ann.api.deleteAccount({ password });
  await swept(world);
  expect((await bob.api.getEmoji()).items.map(({ name }) => name)).toEqual(['his']);
  expect(await pictures(world)).toHaveLength(1);
});

test('EMOJI-7: a custom emoji is text on the wire: in a message, as a reaction, in a status', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { id: message_id, content } = await ann.api.sendMessage({ chat_id, text: ':nobody_made_this:' });
  expect(content).toBe(':nobody_made_this:');
  expect(await bob.api.setMessageReaction({ message_id, emoji: ':party:' })).toMatchObject({ emoji: ':party:' });
  expect(await ann.api.setStatus({ emoji: ':party:' })).toEqual({ emoji: ':party:' });
  for (const emoji of ['::', ':a:', ':Party:', ':party', 'party:', ':par ty:'])
    await expect(ann.api.setStatus({ emoji }), emoji).rejects.toMatchObject({ status: 400 });
});
