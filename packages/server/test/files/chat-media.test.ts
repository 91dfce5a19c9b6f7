import { readFileSync } from 'node:fs';
import type { MediaKind } from '@parley/protocol';
import { type Actor, createWorld, unknownId, type World } from '@parley/testing';
import { embeddedTest } from '@parley/testing/contracts/tested-engine.ts';
import { failure } from '@parley/testing/world/failure.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { Slice } from '../../core/slices.ts';
import { chatMedia } from '../../store/chat-media.ts';
import { botIn, keyedAgent } from '../helpers/agents.ts';
import { photo, upload } from '../helpers/file-stage.ts';

afterEach(() => void vi.restoreAllMocks());

/** A group in which Alice says things. */
async function scene(world: World) {
  const { alice, bob, eve } = await world.people('alice', 'bob', 'eve');
  const chat = await world.group(alice, bob);
  const say = async (text: string, more: Partial<Parameters<Actor['api']['sendMessage']>[0]> = {}) =>
    (await alice.api.sendMessage({ chat_id: chat.id, text, ...more })).id;
  const send = async (file: { id: string }, text = '') => say(text, { attachments: [{ id: file.id }] });
  const listed = async (kind: MediaKind, actor: Actor = bob) =>
    idsOf(await actor.api.getChatMedia({ chat_id: chat.id, kind }));
  return { alice, bob, eve, chat, chat_id: chat.id, say, send, listed };
}
const idsOf = ({ items }: { items: { id: string }[] }): string[] => items.map(({ id }) => id);
/** The first bytes of an MP4 file, by which it is a video. */
const video = Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1');

test('FILE-21: messages are listed by what they hold, from all timelines', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id, say, send, listed } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'c' });
  const words = await say('nothing to list, not even `https://example.com`');
  const sea = await send(await upload(alice, await photo('png'), 'sea.png'));
  const film = await send(await upload(alice, video, 'film.mp4'), 'see www.example.com');
  const notes = await say('', { channel_id, attachments: [{ id: (await upload(alice, 'notes', 'notes.txt')).id }] });
  const link = await say('https://example.com', { thread_root_id: words });
  const [copy] = (await bob.api.forwardMessages({ message_ids: [sea], to_chat_id: chat_id })).items;
  expect(await listed('media')).toEqual([copy?.id, film, sea]);
  expect(await listed('files')).toEqual([notes]);
  expect(await listed('links')).toEqual([link, film]);
  const { items } = await bob.api.getChatMedia({ chat_id, kind: 'files' });
  expect(items).toEqual((await bob.api.getChatHistory({ chat_id, channel_id })).items);
});

test('FILE-21: an edit and the end of a reply change what is listed', async () => {
  await using world = await createWorld();
  const { alice, chat, chat_id, say, listed } = await scene(world);
  const id = await say('one');
  expect(await listed('links')).toEqual([]);
  await alice.api.editMessage({ message_id: id, text: 'https://example.com' });
  expect(await listed('links')).toEqual([id]);
  await alice.api.editMessage({ message_id: id, text: 'nothing' });
  expect(await listed('links')).toEqual([]);
  const bot = await botIn(world, alice, chat);
  const { id: reply } = await bot.api.startMessageStream({ chat_id });
  const file = await upload(bot, 'result', 'result.txt');
  await bot.api.finishMessageStream({
    message_id: reply,
    text: 'at https://example.com',
    attachments: [{ id: file.id }],
  });
  expect([await listed('links'), await listed('files')]).toEqual([[reply], [reply]]);
});

test('FILE-21: of the versions of a reply the current one is listed', async () => {
  await using world = await createWorld();
  const { alice, chat_id, say, listed } = await scene(world);
  const agent = await keyedAgent(world, alice);
  await alice.api.addGroupAgent({ chat_id, agent_username: agent.username });
  world.providers.script(agent.key, { chunks: ['https://example.com/1'] }, { chunks: ['https://example.com/2'] });
  await say(`@${agent.username} where?`);
  await world.turnsEnded();
  const [first = ''] = await listed('links');
  const { id: second } = await alice.api.retryReply({ message_id: first });
  await world.turnsEnded();
  expect(await listed('links')).toEqual([second]);
  await alice.api.chooseVersion({ message_id: first });
  expect(await listed('links')).toEqual([first]);
});

test('FILE-24: messages of an earlier version are listed', async () => {
  await using world = await createWorld();
  const { alice, say, send, listed } = await scene(world);
  const sea = await send(await upload(alice, await photo('png'), 'sea.png'));
  const film = await send(await upload(alice, video, 'film.mp4'));
  const notes = await send(await upload(alice, 'notes', 'notes.txt'));
  const link = await say('see https://example.com');
  await say('nothing');
  await world.withSql(async (sql) => {
    await sql.run({ sql: 'UPDATE messages SET marks = 0' });
    const text = readFileSync(new URL('../../store/migrations/0035-chat-media.sql', import.meta.url), 'utf8');
    for (const update of text.match(/^UPDATE [^;]+/gm) ?? []) await sql.run({ sql: update });
  });
  expect(await listed('media')).toEqual([film, sea]);
  expect(await listed('files')).toEqual([notes]);
  expect(await listed('links')).toEqual([link]);
});

embeddedTest('its plans')('FILE-22: a list reads only its own messages', async () => {
  await using world = await createWorld();
  for (const [kind, { older, newer }] of Object.entries(chatMedia))
    for (const { sql } of [older, newer]) {
      const plan = await world.service.read.all<{ detail: string }, []>({ sql: `EXPLAIN QUERY PLAN ${sql}` });
      const steps = plan.map(({ detail }) => detail).join('\n');
      expect(steps).toContain(`SEARCH m USING INDEX messages_${kind} (chat_key=? AND key`);
      expect(steps).not.toMatch(/TEMP B-TREE/);
    }
});

test('FILE-22: pages lead to older messages, or with `after` to newer ones', async () => {
  await using world = await createWorld();
  const { bob, chat_id, say } = await scene(world);
  const ids: string[] = [];
  for (let at = 0; at < 7; at += 1) {
    ids.push(await say(`https://example.com/${at}`));
    await say('between');
  }
  const read = (more: object) => bob.api.getChatMedia({ chat_id, kind: 'links', limit: 2, ...more });
  /** Follows the cursors to the end. */
  const all = async (more: object): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let page = await read(more); ; page = await read({ cursor: page.next_cursor })) {
      pages.push(idsOf(page));
      if (page.next_cursor === undefined) return pages;
    }
  };
  const [a, b, c, d, e, f, g] = ids;
  expect(await all({})).toEqual([[g, f], [e, d], [c, b], [a]]);
  expect(await all({ before: d })).toEqual([[c, b], [a]]);
  expect(await all({ after: d })).toEqual([[e, f], [g]]);
  expect(await failure(read({ before: d, after: d }))).toMatchObject({ code: 'invalid_argument' });
  expect(await failure(read({ before: unknownId }))).toMatchObject({ code: 'not_found' });
  const other = await bob.api.startChat({ username: 'alice' });
  const elsewhere = await bob.api.sendMessage({ chat_id: other.id, text: 'elsewhere' });
  expect(await failure(read({ after: elsewhere.id }))).toMatchObject({ code: 'not_found' });
  for (const cursor of ['nonsense', Buffer.from('["media","sideways",1]').toString('base64url')])
    expect(await failure(read({ cursor }))).toMatchObject({ code: 'invalid_argument' });
});

test('FILE-23: only what the caller may see at that moment is listed', async () => {
  await using world = await createWorld();
  const { alice, bob, eve, chat_id, say, listed } = await scene(world);
  const { id: channel_id } = await alice.api.createChannel({ chat_id, title: 'c' });
  const hidden = await say('https://example.com/hidden');
  const deleted = await say('https://example.com/deleted');
  await say('https://example.com/channel', { channel_id });
  const kept = await say('https://example.com/kept');
  await bob.api.deleteMessagesForMe({ message_ids: [hidden] });
  await alice.api.deleteMessages({ message_ids: [deleted] });
  await alice.api.deleteChannel({ chat_id, channel_id });
  expect(await listed('links')).toEqual([kept]);
  expect(await listed('links', alice)).toEqual([kept, hidden]);
  expect(await failure(listed('links', eve))).toMatchObject({ code: 'forbidden' });
  await alice.api.removeMember({ chat_id, username: 'bob' });
  expect(await failure(listed('links'))).toMatchObject({ code: 'forbidden' });
});

test.each(['deleted', 'removed'])(
  'FILE-23: what the caller may see is checked when the page is complete: %s',
  async (how) => {
    await using world = await createWorld();
    const { alice, bob, chat_id, say, listed } = await scene(world);
    const [gone, kept] = [await say('https://example.com/gone'), await say('https://example.com/kept')];
    let pauses = 0;
    vi.spyOn(Slice.prototype, 'pause').mockImplementation(async () => {
      pauses += 1;
      if (pauses > 1) return false;
      if (how === 'deleted') await alice.api.deleteMessages({ message_ids: [gone] });
      else await alice.api.removeMember({ chat_id, username: bob.username });
      return true;
    });
    if (how === 'deleted') expect(await listed('links')).toEqual([kept]);
    else expect(await failure(listed('links'))).toMatchObject({ code: 'forbidden' });
    expect(pauses).toBeGreaterThan(0);
  },
);

test('FILE-26: a sound keeps the length and the waveform that its sender gives, also in a copy; other files do not', async () => {
  await using world = await createWorld();
  const { alice, bob, chat_id } = await scene(world);
  const recorded = { duration_ms: 2_500, waveform: Buffer.alloc(64, 200).toString('base64') };
  const sound = await upload(
    alice,
    Buffer.from('OggS\0\x02\0\0\0\0\0\0\0\0'.padEnd(28, '\0') + 'OpusHead'),
    'voice.ogg',
  );
  expect(sound.mime_type).toMatch(/^audio\/ogg/);
  const attach = (id: string, more: object = recorded) =>
    alice.api.sendMessage({ chat_id, text: '', attachments: [{ id, ...more }] });
  const sent = await attach(sound.id);
  expect(sent.attachments).toMatchObject([{ id: sound.id, ...recorded }]);
  const [copy] = (await bob.api.forwardMessages({ message_ids: [sent.id], to_chat_id: chat_id })).items;
  expect(copy?.attachments).toMatchObject([{ id: sound.id, ...recorded }]);
  const text = await attach((await upload(alice, 'words', 'words.txt')).id);
  expect(text.attachments[0]).not.toHaveProperty('duration_ms');
  expect(text.attachments[0]).not.toHaveProperty('waveform');
  for (const wrong of [
    { duration_ms: -1 },
    { duration_ms: 86_400_001 },
    { duration_ms: 'long' },
    { waveform: 'not base64!' },
    { waveform: Buffer.alloc(65).toString('base64') },
    { waveform: [1, 2] },
  ])
    expect([wrong, await failure(attach(sound.id, wrong))]).toMatchObject([wrong, { code: 'invalid_argument' }]);
});
