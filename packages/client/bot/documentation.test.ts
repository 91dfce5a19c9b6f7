import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodesIn, parseMarkdown } from '@parley/markdown';
import { BotProcess } from '@parley/testing/bot/bot-process.ts';
import { BotStage } from '@parley/testing/bot/stage.ts';
import { documented } from '@parley/testing/documents/code-blocks.ts';
import { printed } from '@parley/testing/documents/programs.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeBotFolder } from '../../../scripts/new-bot-folder.ts';

const parent = mkdtempSync(join(tmpdir(), 'parley-bots-'));
let folder = '';
beforeAll(async () => {
  folder = await writeBotFolder('documented', parent);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function run(stage: BotStage, code: string): BotProcess {
  const file = 'program.js';
  writeFileSync(join(folder, file), code);
  return new BotProcess([file], {
    cwd: folder,
    env: { PARLEY_URL: stage.world.url, PARLEY_TOKEN: stage.account.token },
  });
}

/** The tags that the app shows of a text; markup that is not one is text there. */
const tagNamesIn = (text: string): string[] =>
  [...nodesIn(parseMarkdown(text))].flatMap((node) => (node.kind === 'tag' ? [node.name] : []));

test('BOTSDK-18: the first program of docs/BOTS.md answers', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'echo'));
  expect((await stage.answerTo(await stage.say('hello'))).content).toBe('You said: hello');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the second program of docs/BOTS.md counts down and can be stopped', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'stream'));
  const asked = await stage.say('go');
  expect((await stage.answerTo(asked)).content).toBe('3 … 2 … 1 … lift-off 🚀');
  expect(stage.socket.all('reactionAdded')).toMatchObject([{ message_id: asked.id, emoji: '👀' }]);
  const again = await stage.say('go');
  const { id } = await stage.placeholderOf(again);
  await stage.socket.event('messageDelta', (delta) => delta.id === id);
  await stage.alice.api.stopRun({ chat_id: stage.chatId, message_id: id });
  expect(await stage.answerTo(again)).toMatchObject({ status: 'cancelled' });
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the third program of docs/BOTS.md answers with a tool and a source', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'parts'));
  const { parts } = await stage.answerTo(await stage.say('when?'));
  expect(parts).toMatchObject([
    { id: 'search', offset: 0, input: { query: 'when?' }, output: ['8:15'], status: 'done' },
    { id: 'timetable', offset: 30, url: 'https://trains.example/' },
  ]);
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the fourth program of docs/BOTS.md has settings, suggestions and its own catch', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'settings'));
  expect((await stage.answerTo(await stage.say('hello'))).content).toBe(
    'alice, in English: message 1 of this direct chat',
  );
  expect((await stage.answerTo(await stage.say('fail'))).content).toBe('That went wrong: Error: as you wish');
  const { alice, account, chatId: chat_id } = stage;
  const { results } = await alice.api.queryInline({ bot_username: account.username, chat_id, query: 'tea' });
  expect(results).toEqual(['tea, please', 'No tea for alice']);
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18, TITLE-8: the fifth program of docs/BOTS.md gives a separate chat its title', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'title'));
  const { alice, account } = stage;
  // The bot is there once it answers.
  await stage.answerTo(await stage.say('hello'));
  const { id: chat_id } = await alice.api.startChat({ username: account.username, new: true });
  await alice.api.sendMessage({ chat_id, text: 'Where is Rome?' });
  await expect.poll(async () => (await alice.api.getChat({ chat_id })).title).toBe('Where Rome is');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the sixth program of docs/BOTS.md has commands, a session and filters', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'commands'));
  const said = async (text: string) => (await stage.answerTo(await stage.say(text))).content;
  expect(await said('/weather Rome')).toBe('It is sunny in Rome.');
  expect(await said('/weather Bonn')).toBe('It is sunny in Bonn.');
  expect(await said('/cities')).toBe('Rome, Bonn');
  expect(await said('hello!')).toBe('Hello, alice');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the program of docs/BOTS.md that asks goes on with the answer', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'ask'));
  const { alice } = stage;
  const asked = await stage.say('/order tea');
  const { id: decision_id, content } = await stage.placeholderOf(asked);
  expect(content).toContain('Order tea?');
  await alice.api.decide({ decision_id, option: 'order', fields: { count: 2 } });
  expect((await stage.answerTo(asked)).content).toBe('alice has ordered 2 × tea.');
  const again = await stage.say('/order milk');
  const { id: declined } = await stage.placeholderOf(again);
  await alice.api.decide({ decision_id: declined, option: 'decline' });
  expect((await stage.answerTo(again)).content).toBe('Nothing was ordered (decline).');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the seventh program of docs/BOTS.md answers presses and forms', async () => {
  await using stage = await BotStage.start();
  await using bot = run(stage, documented('docs/BOTS.md', 'buttons'));
  const { alice, chatId: chat_id, socket } = stage;
  const { id: message_id, content: order } = await stage.answerTo(await stage.say('hello'));
  // A form that the app does not show as one cannot be submitted there.
  expect(tagNamesIn(order)).toEqual(['button', 'form', 'input', 'select', 'submit']);
  await alice.api.sendComponentAction({ chat_id, message_id, action: 'buy:2' });
  await socket.event('messageComplete', ({ content }) => content === 'alice has bought 2.');
  await alice.api.sendComponentAction({ chat_id, message_id, action: 'form_submit:order', fields: { note: 'two' } });
  await socket.event('messageComplete', ({ content }) => content === 'Noted: two');
  expect([await bot.stop(), bot.said]).toEqual([0, '']);
});

test('BOTSDK-18: the app knows each tag in the table of docs/BOTS.md', () => {
  const text = readFileSync(new URL('../../../docs/BOTS.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| tag \| attributes \|\n(.*?)\n\n/ms.exec(text) ?? [];
  const names = [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name = '']) => name);
  expect(names).toHaveLength(11);
  for (const name of names) expect(tagNamesIn(`{% ${name} label="A" /%}`)).toEqual([name]);
});

test('BOTSDK-18, BOTSDK-31: the test of a bot in docs/BOTS.md passes', async () => {
  const bot = `import assert from 'node:assert/strict';
    import { createBot } from '@parley/client/bot';
    function createMyBot() {
      const bot = createBot({ token: 'mb_none' });
      bot.command('/weather', (ctx) => ctx.reply(\`It is sunny in \${ctx.command.args}.\`));
      bot.on('message', (ctx) => ctx.reply('hi'));
      bot.action('form_submit:order', (ctx) => ctx.reply(ctx.press.fields.note));
      return bot;
    }`;
  expect(await printed(`${bot}\n${documented('docs/BOTS.md', 'test')}`, {})).toBe('');
});
