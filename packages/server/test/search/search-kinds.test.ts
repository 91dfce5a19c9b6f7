import { type Actor, createWorld } from '@parley/testing';
import { expect, test } from 'vitest';
import { photo, upload } from '../helpers/file-stage.ts';

type Kind = 'image' | 'video' | 'audio' | 'file' | 'link';
const kinds: readonly Kind[] = ['image', 'video', 'audio', 'file', 'link'];

const sound = Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0'.padEnd(28, '\0') + 'OpusHead');
const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom');

const found = async (who: Actor, query: string, more: { has?: Kind; chat_id?: string } = {}) =>
  (await who.api.searchMessages({ query, ...more })).items.map(({ message }) => message.content);

/** Sends a message of each kind, all with the word "trip". */
async function sendAll(ann: Actor, chat_id: string): Promise<void> {
  const send = async (text: string, ...ids: string[]) =>
    ann.api.sendMessage({ chat_id, text, ...(ids.length > 0 && { attachments: ids.map((id) => ({ id })) }) });
  await send('trip: image', (await upload(ann, await photo('png'), 'sea.png')).id);
  await send('trip: video', (await upload(ann, video, 'sea.mp4')).id);
  await send('trip: audio', (await upload(ann, sound, 'waves.ogg')).id);
  await send('trip: file', (await upload(ann, 'tickets', 'tickets.txt')).id);
  await send('trip: link to https://example.org/sea');
  await send('trip: text');
}

const textOf = (kind: Kind) => (kind === 'link' ? 'trip: link to https://example.org/sea' : `trip: ${kind}`);

test(
  'SEARCH-19: `has` finds messages that hold an image, a video, a sound, another file or a link',
  { tags: ['long'] },
  async () => {
    await using world = await createWorld();
    const { ann, bob } = await world.people('ann', 'bob');
    const { id: chat_id } = await world.group(ann, bob);
    await sendAll(ann, chat_id);
    const check = async () => {
      expect(await found(bob, 'trip')).toHaveLength(6);
      for (const has of kinds) {
        expect(await found(bob, 'trip', { has }), has).toEqual([textOf(has)]);
        expect(await found(bob, 'trip', { has, chat_id }), has).toEqual([textOf(has)]);
        expect(await found(bob, 'bus', { has }), has).toEqual([]);
      }
    };
    // Before the index has them, and afterwards.
    await check();
    await world.service.search.tend();
    await check();
    await expect(bob.api.searchMessages({ query: 'trip', has: 'poll' as Kind })).rejects.toMatchObject({ status: 400 });
  },
);

test('SEARCH-19, SEARCH-7: what a message holds is what it holds now', async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { id: message_id } = await ann.api.sendMessage({ chat_id, text: 'trip to https://example.org' });
  await world.service.search.tend();
  await ann.api.editMessage({ message_id, text: 'trip to the sea' });
  expect(await found(bob, 'trip', { has: 'link' })).toEqual([]);
  await ann.api.editMessage({ message_id, text: 'trip to https://example.org/sea' });
  expect(await found(bob, 'trip', { has: 'link' })).toEqual(['trip to https://example.org/sea']);
  await ann.api.deleteMessages({ message_ids: [message_id] });
  expect(await found(bob, 'trip', { has: 'link' })).toEqual([]);
});

test('SEARCH-19: a message is found by the names of its files', { tags: ['long'] }, async () => {
  await using world = await createWorld();
  const { ann, bob } = await world.people('ann', 'bob');
  const { id: chat_id } = await world.group(ann, bob);
  const { id } = await upload(ann, 'tickets', 'Boarding pass.txt');
  await ann.api.sendMessage({ chat_id, text: '', attachments: [{ id }] });
  const check = async () => {
    const { items } = await bob.api.searchMessages({ query: 'boarding', has: 'file' });
    expect(items.map(({ snippet }) => snippet)).toEqual(['\uE000Boarding\uE001 pass.txt']);
    expect(await found(bob, 'boarding', { has: 'image' })).toEqual([]);
  };
  await check();
  await world.service.search.tend();
  await check();
});
