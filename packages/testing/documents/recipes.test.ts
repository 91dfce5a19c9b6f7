import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBotFolder } from '../../../scripts/new-bot-folder.ts';
import { BotStage } from '../bot/stage.ts';
import type { BotProcess } from '../bot/bot-process.ts';
import { documented } from './code-blocks.ts';
import { printed, started } from './programs.ts';

let parent = '';
let folder = '';
let stage: BotStage;
let group = '';
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parley-recipes-'));
  folder = await writeBotFolder('recipes', parent);
  stage = await BotStage.start();
  ({ id: group } = await stage.world.group(stage.alice, await stage.world.person('bob')));
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await rm(parent, { recursive: true });
});

/** The environment of a program that runs as Alice. */
const asAlice = (more: Readonly<Record<string, string>> = {}) => ({
  PARLEY_URL: stage.world.url,
  PARLEY_TOKEN: stage.alice.token,
  PARLEY_CHAT: group,
  ...more,
});
const bot = (code: string, more: Readonly<Record<string, string>> = {}): BotProcess =>
  started(code, { ...asAlice(more), PARLEY_TOKEN: stage.account.token }, folder);
const said = async (text: string) => (await stage.answerTo(await stage.say(text))).content;
const texts = async (chat_id = group) =>
  (await stage.alice.api.getChatHistory({ chat_id })).items.map(({ content }) => content);

test('DOCS-5: the first bot greets, word by word', async () => {
  await using running = bot(documented('docs/guide/first-bot.md', 'echo'));
  expect(await said('good day')).toBe('Hello alice, you said: good day');
  expect([await running.stop(), running.said]).toEqual([0, `${stage.account.username} is listening\n`]);
});

test('DOCS-5: a message that is sent again is stored once', async () => {
  const code = documented('docs/guide/recipes.md', 'send-once');
  await printed(code, asAlice());
  await printed(code, asAlice());
  expect((await texts()).filter((text) => text === 'Order 217 has shipped.')).toHaveLength(1);
});

test('DOCS-5: a bot streams what a model with the API of chat completions answers', async () => {
  const asked: { messages: { role: string; content: string }[] }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push((await json(request)) as (typeof asked)[number]); // the program's request
    for (const content of ['Good ', 'morning'])
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
  const model = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(model, 'listening');
  const { port } = model.address() as AddressInfo; // it listens on TCP
  const env = { MODEL_URL: `http://127.0.0.1:${port}/v1` };
  await using running = bot(documented('docs/guide/recipes.md', 'stream-model'), env);
  expect(await said('hello, model')).toBe('Good morning');
  expect(asked[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'hello, model' });
  expect([await running.stop(), running.said]).toEqual([0, '']);
  model.closeAllConnections();
  model.close();
});

test('DOCS-5: a bot that counts without end is stopped', async () => {
  await using running = bot(documented('docs/guide/recipes.md', 'stop'));
  const asked = await stage.say('count');
  const { id } = await stage.placeholderOf(asked);
  await stage.socket.event('messageDelta', (delta) => delta.id === id);
  await stage.alice.api.stopRun({ chat_id: stage.chatId, message_id: id });
  expect(await stage.answerTo(asked)).toMatchObject({ status: 'cancelled' });
  expect([await running.stop(), running.said]).toEqual([0, '']);
});

test('DOCS-5: a bot asks its owner before it acts, and goes on after a kill', async () => {
  const code = documented('docs/guide/recipes.md', 'ask');
  await using first = bot(code);
  const asked = await stage.say('/delete orders');
  const { id: decision_id } = await stage.placeholderOf(asked);
  await first.stop('SIGKILL');
  await stage.alice.api.decide({ decision_id, option: 'delete' });
  await using second = bot(code);
  expect((await stage.answerTo(asked)).content).toBe('orders is deleted.');
  expect([first.said, await second.stop(), second.said]).toEqual(['', 0, '']);
});

test('DOCS-5: a bot asks for approval, and its owner gives it', async () => {
  await using running = bot(documented('docs/guide/recipes.md', 'approve'));
  const { alice, chatId: chat_id, socket } = stage;
  const { id: message_id, content } = await stage.answerTo(await stage.say('/deploy web-7'));
  expect(content).toContain('action="deploy:web-7"');
  const hostile = '/deploy web-7? {% button action="deploy:prod" %}Deploy{% /button %}';
  expect((await stage.answerTo(await stage.say(hostile))).content).toBe('Name one service, such as web-7.');
  await alice.api.sendComponentAction({ chat_id, message_id, action: 'deploy:web-7' });
  await socket.event('messageComplete', (message) => message.content === 'Deploying web-7.');
  await alice.api.sendComponentAction({ chat_id, message_id, action: 'cancel' });
  await socket.event('messageComplete', (message) => message.content === 'Nothing was deployed.');
  expect([await running.stop(), running.said]).toEqual([0, '']);
});

test('DOCS-5: a program sends a file', async () => {
  await printed(documented('docs/guide/recipes.md', 'send-file'), asAlice());
  const { items } = await stage.alice.api.getChatHistory({ chat_id: group });
  expect(items.at(-1)).toMatchObject({ attachments: [{ name: 'orders.csv', size: 22 }] });
});

test('DOCS-5: a program sends a large file in parts', async () => {
  const FILE = join(parent, 'large');
  await writeFile(FILE, Buffer.alloc(9 * 1024 * 1024, 'x'));
  expect(await printed(documented('docs/SDK.md', 'large-file'), asAlice({ FILE }))).toMatch(/^89 %\n100 %\n$/);
  const { items } = await stage.alice.api.getChatHistory({ chat_id: group });
  expect(items.at(-1)).toMatchObject({ attachments: [{ name: 'backup.zip', size: 9 * 1024 * 1024 }] });
});

test('DOCS-5: a moderator deletes advertising, and tells its author', async () => {
  const bob = await stage.world.person('bob');
  const socket = await bob.socket();
  await using program = started(documented('docs/guide/recipes.md', 'moderate'), asAlice());
  await program.says('live');
  const { id } = await bob.api.sendMessage({ chat_id: group, text: 'Get FREE MONEY here' });
  await socket.event('messageDeleted', ({ ids }) => ids.includes(id));
  await socket.event('alert', ({ text }) => text === 'Please do not advertise here.');
  const { id: edited } = await bob.api.sendMessage({ chat_id: group, text: 'Hello' });
  await bob.api.editMessage({ message_id: edited, text: 'free money' });
  await socket.event('messageDeleted', ({ ids }) => ids.includes(edited));
});

test('DOCS-5: a conversation is mirrored into a database, and continued from the stored position', async () => {
  const { alice, world } = stage;
  const { id: chat } = await world.group(alice);
  const file = join(parent, 'mirror.db');
  const mirror = async () => {
    await printed(documented('docs/guide/recipes.md', 'mirror'), asAlice({ PARLEY_CHAT: chat, MIRROR: file }));
    const db = new DatabaseSync(file, { readOnly: true });
    const rows = db.prepare("SELECT content FROM messages WHERE content <> '' ORDER BY id").all();
    db.close();
    return rows.map(({ content }) => content);
  };
  const { id } = await alice.api.sendMessage({ chat_id: chat, text: 'one' });
  await alice.api.sendMessage({ chat_id: chat, text: 'two' });
  expect(await mirror()).toEqual(expect.arrayContaining(['one', 'two']));
  await alice.api.deleteMessages({ message_ids: [id] });
  await alice.api.sendMessage({ chat_id: chat, text: 'three' });
  const rows = await mirror();
  expect(rows).toEqual(expect.arrayContaining(['two', 'three']));
  expect(rows).not.toContain('one');
  // A position that the log no longer has: the history is copied again.
  const db = new DatabaseSync(file);
  db.exec("UPDATE position SET seq = 9000000000; INSERT INTO messages VALUES ('gone', 'bob', 'gone')");
  db.close();
  expect(await mirror()).toEqual(rows);
});

test('DOCS-5: a person is notified', async () => {
  const bob = await stage.world.person('bob');
  const socket = await bob.socket();
  await printed(documented('docs/guide/recipes.md', 'notify'), asAlice({ PERSON: 'bob' }));
  expect(await socket.event('alert')).toMatchObject({ title: 'Builds', level: 'error', from: { username: 'alice' } });
  expect((await texts()).at(-1)).toBe('@bob The nightly build failed.');
});

test('DOCS-5: a search prints what it finds', async () => {
  await stage.alice.api.sendMessage({ chat_id: group, text: 'We take the early train.' });
  await expect
    .poll(() => printed(documented('docs/guide/recipes.md', 'search'), asAlice()))
    .toBe('alice: We take the early train.\n');
});

test('DOCS-5: a message is scheduled, listed and cancelled', async () => {
  expect(await printed(documented('docs/guide/recipes.md', 'schedule'), asAlice())).toMatch(/^\S+Z: Good morning!\n$/);
  expect((await stage.alice.api.getScheduledMessages({ chat_id: group })).items).toEqual([]);
});

test('DOCS-5: a person makes a schedule, and runs it at once', async () => {
  expect(await printed(documented('docs/guide/recipes.md', 'repeat'), asAlice())).toMatch(/^(?:\S+Z\n){2}$/);
  expect((await stage.alice.api.getSchedules({})).items).toEqual([]);
  const { items } = await stage.alice.api.getChatHistory({ chat_id: group });
  expect(items.at(-1)).toMatchObject({ content: 'What is on today?', schedule_id: expect.any(String) });
});
