import type { Message } from '@parley/protocol';
import { type Actor, checkReplay, createWorld, ManualClock, type World } from '@parley/testing';
import { namedPage, page, type PageServer, startPageServer } from '@parley/testing/providers/page-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { botIn } from '../helpers/agents.ts';

const DAY_MS = 86_400_000;

let pages: PageServer;
let world: World;
beforeAll(async () => {
  pages = await startPageServer();
  world = await createWorld({ env: { LINK_PREVIEWS: pages.origin } });
});
afterAll(async () => {
  await world.close();
  await pages[Symbol.asyncDispose]();
});
beforeEach(() => {
  pages.asked.length = 0;
  pages.answer = namedPage;
});

let paths = 0;
/** A link to a page that was not read before. */
const link = (): string => `${pages.origin}/${(paths += 1)}`;
const titleOf = (url: string) => ({ url, title: `Page ${new URL(url).pathname}` });
const read = async ({ id }: Message, actor: Actor) =>
  (await actor.api.getMessages({ message_ids: [id] })).items[0]?.link_preview;

async function scene(here: World = world) {
  const { ann, ben } = await here.people('ann', 'ben');
  const { id: chat_id, ...chat } = await here.group(ann, ben);
  const send = (text: string, more: object = {}, actor = ann) => actor.api.sendMessage({ chat_id, text, ...more });
  return { ann, ben, chat: { id: chat_id, ...chat }, chat_id, send };
}

test('LINK-1: the first link of a message gets a preview, which arrives as an update and after a reconnect', async () => {
  const { ann, ben, send } = await scene();
  const [ext, plain] = [await ben.socket('ext'), await ben.socket()];
  const [one, other] = [link(), link()];
  const message = await checkReplay(world, [ann, ben], async () => {
    const sent = await send(`\`${link()}\` look at ${one} and ${other}`);
    expect(sent).not.toHaveProperty('link_preview');
    await world.pagesRead();
    return sent;
  });
  expect(await read(message, ben)).toEqual(titleOf(one));
  expect(ext.all('messageUpdated')).toEqual([{ ...message, link_preview: titleOf(one) }]);
  expect(plain.all('messageUpdated')).toEqual([]);
  expect(pages.asked).toEqual([new URL(one).pathname]);
});

test('LINK-1: sending does not wait for the page', async () => {
  const { ben, send } = await scene();
  const hold = Promise.withResolvers<void>();
  pages.answer = (request, response) => void hold.promise.then(() => namedPage(request, response));
  const url = link();
  const message = await send(url);
  while (pages.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await read(message, ben)).toBeUndefined();
  hold.resolve();
  await world.pagesRead();
  expect(await read(message, ben)).toEqual(titleOf(url));
});

test('LINK-2: no page is read for agents, forwarded messages, notices and polls', async () => {
  const { ann, chat, chat_id, send } = await scene();
  const bot = await botIn(world, ann, chat);
  const message = await send(link(), {}, bot);
  await bot.api.editMessage({ message_id: message.id, text: link() });
  const { id: message_id } = await bot.api.startMessageStream({ chat_id });
  await bot.api.finishMessageStream({ message_id, text: `see ${link()}` });
  await ann.api.forwardMessages({ message_ids: [message.id], to_chat_id: chat_id });
  await send(link(), { service: { kind: 'call_started' } });
  await send('', { poll: { question: link(), options: ['a', 'b'] } });
  await world.pagesRead();
  expect(pages.asked).toEqual([]);
});

test('LINK-2: no page is read for the reply of a model', async () => {
  const { ann } = await world.people('ann');
  await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'key-of-ann' });
  world.providers.script('key-of-ann', { chunks: [`![x](${link()}) and ${link()}`] });
  const { id: chat_id } = await ann.api.startChat({ username: 'ann:provider_a' });
  await ann.api.sendMessage({ chat_id, text: 'what is on that page?' });
  await world.turnsEnded();
  await world.pagesRead();
  expect(pages.asked).toEqual([]);
});

test('LINK-5: a page is read once a day for everyone, also one without a preview', async () => {
  const clock = new ManualClock();
  await using own = await createWorld({ clock, env: { LINK_PREVIEWS: pages.origin } });
  const { ann, ben, chat_id, send } = await scene(own);
  const [url, bad] = [link(), link()];
  pages.answer = (request, response) =>
    request.url === new URL(bad).pathname ? response.writeHead(500).end() : namedPage(request, response);
  for (let times = 0; times < 3; times += 1) {
    const messages = await Promise.all([send(url), ben.api.sendMessage({ chat_id, text: url }), send(bad)]);
    await own.pagesRead();
    for (const message of messages.slice(0, 2)) expect(await read(message, ann)).toEqual(titleOf(url));
  }
  expect(pages.asked.toSorted()).toEqual([url, bad].map((one) => new URL(one).pathname).toSorted());
  await clock.sleep(DAY_MS + 3_600_000);
  await own.settle();
  expect(await own.sql('SELECT place FROM link_previews')).toEqual([]);
  await send(url);
  await own.pagesRead();
  expect(pages.asked).toHaveLength(3);
});

test('LINK-6: eight pages of a person are read or wait, further ones are left out; a page that takes 5 s is given up', async () => {
  const clock = new ManualClock();
  await using own = await createWorld({ clock, env: { LINK_PREVIEWS: pages.origin } });
  own.stayOnFirst();
  const { ann, ben, send } = await scene(own);
  pages.answer = () => {};
  const messages = await Promise.all(Array.from({ length: 12 }, () => send(link())));
  while (pages.asked.length < 8) await new Promise((resolve) => setImmediate(resolve));
  await own.settle();
  expect(pages.asked).toHaveLength(8);
  // Another person's link waits until there is room.
  pages.answer = namedPage;
  const url = link();
  const waiting = await send(url, {}, ben);
  await own.settle();
  expect(pages.asked).toHaveLength(8);
  await clock.advance(5_000);
  await own.pagesRead();
  expect(await read(waiting, ann)).toEqual(titleOf(url));
  for (const message of messages) expect(await read(message, ann)).toBeUndefined();
});

test('LINK-7: the sender sends a message without a preview, or removes it for good', async () => {
  const { ann, ben, send } = await scene();
  const without = await send(link(), { link_preview: false });
  expect(without.link_preview).toBe(null);
  await world.pagesRead();
  expect(pages.asked).toEqual([]);
  await ann.api.editMessage({ message_id: without.id, text: link() });
  const message = await send(link());
  await world.pagesRead();
  const message_id = message.id;
  await expect(ben.api.removeLinkPreview({ message_id })).rejects.toMatchObject({ status: 403 });
  const socket = await ben.socket('ext');
  await checkReplay(world, [ann, ben], async () => {
    for (let times = 0; times < 2; times += 1)
      expect(await ann.api.removeLinkPreview({ message_id })).toMatchObject({ id: message_id, link_preview: null });
  });
  expect(socket.all('messageUpdated')).toHaveLength(1);
  pages.asked.length = 0;
  await ann.api.editMessage({ message_id, text: link() });
  await world.pagesRead();
  expect(pages.asked).toEqual([]);
  expect([await read(message, ben), await read(without, ben)]).toEqual([null, null]);
});

test('LINK-7: a scheduled message gets a preview when it is sent, or none if its author wants none', async () => {
  const { ann, ben, chat_id } = await scene();
  const [one, other] = [link(), link()];
  const sent = async (text: string, more: object = {}) => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const { id } = await ann.api.scheduleMessage({ chat_id, text, send_at, ...more });
    return ann.api.sendScheduledMessage({ chat_id, scheduled_id: id });
  };
  const [message, without] = [await sent(one), await sent(other, { link_preview: false })];
  await world.pagesRead();
  expect(pages.asked).toEqual([new URL(one).pathname]);
  expect([await read(message, ben), await read(without, ben)]).toEqual([titleOf(one), null]);
});

test('LINK-8: an edit keeps the preview of the same link, and replaces that of another; a deletion removes it', async () => {
  const { ann, ben, send } = await scene();
  const [one, other] = [link(), link()];
  const message = await send(one);
  const message_id = message.id;
  await world.pagesRead();
  const edited = await ann.api.editMessage({ message_id, text: `better: ${one}` });
  expect(edited.link_preview).toEqual(titleOf(one));
  await checkReplay(world, [ann, ben], async () => {
    expect(await ann.api.editMessage({ message_id, text: `other: ${other}` })).not.toHaveProperty('link_preview');
    await world.pagesRead();
  });
  expect(await read(message, ben)).toEqual(titleOf(other));
  await ann.api.editMessage({ message_id, text: 'no link' });
  await world.pagesRead();
  expect(await read(message, ben)).toBeUndefined();
  expect(pages.asked).toEqual([one, other].map((url) => new URL(url).pathname));

  const gone = await send(one);
  await world.pagesRead();
  await ann.api.deleteMessages({ message_ids: [gone.id] });
  expect(JSON.stringify(await world.sql('SELECT record FROM messages WHERE deleted_at IS NOT NULL'))).not.toContain(
    'Page',
  );
  expect(await world.sql('SELECT 1 FROM stored_bytes WHERE bytes < 0')).toEqual([]);
});

test('LINK-8: a page that was read for a message that has changed meanwhile is not added', async () => {
  const { ann, ben, send } = await scene();
  const hold = Promise.withResolvers<void>();
  pages.answer = (request, response) => void hold.promise.then(() => namedPage(request, response));
  const messages = await Promise.all([send(link()), send(link()), send(link())]);
  while (pages.asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
  const [edited, deleted, removed] = messages.map(({ id }) => id);
  await ann.api.editMessage({ message_id: edited ?? '', text: 'no link any more' });
  await ann.api.deleteMessages({ message_ids: [deleted ?? ''] });
  await ann.api.removeLinkPreview({ message_id: removed ?? '' });
  const socket = await ben.socket('ext');
  hold.resolve();
  await world.pagesRead();
  expect(socket.methods).toEqual([]);
});

test('CONFIG-26: LINK_PREVIEWS=0 turns previews off', async () => {
  await using own = await createWorld({ env: { LINK_PREVIEWS: '0' } });
  const { send } = await scene(own);
  await send(link());
  await own.pagesRead();
  expect(pages.asked).toEqual([]);
});

test('LIMIT-22: a preview counts with its message, and is left out if there is no room for it', async () => {
  pages.answer = (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page('A title', `<meta name=description content="${'d'.repeat(250)}">`));
  const bytes = async (here: World) =>
    here.sql("SELECT bytes FROM stored_bytes s JOIN accounts a ON a.key = s.owner_key WHERE a.username = 'ann'");
  await using roomy = await createWorld({ env: { LINK_PREVIEWS: pages.origin } });
  const { ann, send } = await scene(roomy);
  const message = await send(link());
  await roomy.pagesRead();
  expect(await read(message, ann)).toMatchObject({ title: 'A title' });
  const [record] = await roomy.sql<{ bytes: number }>('SELECT octet_length(record) AS bytes FROM messages');
  expect(await bytes(roomy)).toEqual([record]);
  await using full = await createWorld({
    env: { LINK_PREVIEWS: pages.origin },
    settings: { storedBytes: (record?.bytes ?? 0) - 1 },
  });
  const there = await scene(full);
  const plain = await there.send(link());
  await full.pagesRead();
  expect(await read(plain, there.ann)).toBeUndefined();
});

test('LINK-9: no page is read for a person who has turned previews off; those of others are', async () => {
  const { ann, ben, send } = await scene();
  const [kept, other] = [link(), link()];
  const before = await send(kept);
  await world.pagesRead();
  await ann.api.setPrivacy({ link_previews: false });
  pages.asked.length = 0;
  const message = await send(link());
  await ann.api.editMessage({ message_id: message.id, text: link() });
  await world.pagesRead();
  expect(pages.asked).toEqual([]);
  expect(await read(before, ben)).toEqual(titleOf(kept));
  const fromBen = await send(other, {}, ben);
  await world.pagesRead();
  expect(await read(fromBen, ann)).toEqual(titleOf(other));
  await ann.api.setPrivacy({ link_previews: true });
});

test('LINK-9: a page that was being read when the person turned previews off adds none', async () => {
  const { ann, ben, send } = await scene();
  const hold = Promise.withResolvers<void>();
  pages.answer = (request, response) => void hold.promise.then(() => namedPage(request, response));
  const message = await send(link());
  while (pages.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await ann.api.setPrivacy({ link_previews: false });
  hold.resolve();
  await world.pagesRead();
  expect(await read(message, ben)).toBeUndefined();
  await ann.api.setPrivacy({ link_previews: true });
});
