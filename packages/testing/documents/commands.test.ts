import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { needs } from '../programs/needs.ts';
import type { Actor } from '../world/actor.ts';
import { createWorld, type World } from '../world/world.ts';
import { documented, root } from './code-blocks.ts';
import { shell } from './programs.ts';

let world: World;
let alice: Actor;
beforeAll(async () => {
  world = await createWorld({ env: { WEBHOOK_ENDPOINTS: 'https://example.com' } });
  alice = await world.person('alice');
});
afterAll(() => world.close());

const asAlice = () => ({ PARLEY_URL: world.url, TOKEN: alice.token });
const resultOf = (text: string): Record<string, unknown> => {
  const { ok, result } = JSON.parse(text) as { ok: boolean; result: Record<string, unknown> }; // the service's answer
  expect(ok).toBe(true);
  return result;
};

test(
  'DOCS-5: the commands of the quick starts make a bot, set a key, and find the service ready',
  needs('bash', 'curl'),
  async () => {
    const made = resultOf(await shell(documented('docs/guide/first-bot.md', 'create-bot'), asAlice()));
    expect(made).toMatchObject({ bot: { username: 'alice:helper' }, token: expect.stringMatching(/^mb_/) });
    expect(await shell(documented('docs/guide/first-server.md', 'ready'), asAlice())).toBe('{"ok":true}');
    const key = { ...asAlice(), ANTHROPIC_API_KEY: 'sk-ant-a-key-of-hers' };
    resultOf(await shell(documented('docs/guide/first-server.md', 'set-key'), key));
  },
);

test('DOCS-5: the commands of the first bot make its folder', needs('bash'), async () => {
  const parent = await mkdtemp(join(tmpdir(), 'parley-first-bot-'));
  const code = documented('docs/guide/first-bot.md', 'new-bot').replaceAll('../my-bot', join(parent, 'my-bot'));
  await shell(code, { HOME: parent }, root);
  expect(await readdir(join(parent, 'my-bot'))).toEqual(expect.arrayContaining(['.env', 'bot.js', 'parley-bot.js']));
  expect(existsSync(join(parent, 'my-bot/.env'))).toBe(true);
  await rm(parent, { recursive: true });
});

test(
  'DOCS-5: the commands of docs/WEBHOOKS.md make a webhook, send through it, and subscribe',
  needs('bash', 'curl'),
  async () => {
    const { id: CHAT } = await world.group(alice);
    const run = (code: string, HOOK = '') =>
      shell(code.replaceAll('http://127.0.0.1:8080', world.url), { ...asAlice(), CHAT, HOOK });
    const { url } = resultOf(await run(documented('docs/WEBHOOKS.md', 'create')));
    const address = new URL(String(url), world.url).href;
    const sent = resultOf(await run(documented('docs/WEBHOOKS.md', 'send'), address));
    const again = resultOf(await run(documented('docs/WEBHOOKS.md', 'send'), address));
    expect(sent['content']).toBe('Build 217 is **green**. [Log](https://ci.example/217)');
    expect(again['id']).toBe(sent['id']);
    expect(await run(documented('docs/WEBHOOKS.md', 'slack'), address)).toBe('ok');
    expect(resultOf(await run(documented('docs/WEBHOOKS.md', 'subscribe')))).toMatchObject({
      secret: expect.stringMatching(/^whsec_/),
    });
  },
);

test('DOCS-5: the bot in curl starts a reply, appends to it and ends it', needs('bash', 'curl'), async () => {
  const bot = await world.bot(alice, 'curl');
  const { id: CHAT } = await world.direct(alice, bot);
  const { id: QUESTION } = await alice.api.sendMessage({ chat_id: CHAT, text: 'hello' });
  const env = { PARLEY_URL: world.url, TOKEN: bot.token, CHAT, QUESTION };
  const { id } = resultOf(await shell(documented('docs/guide/bot-without-sdk.md', 'start'), env));
  const REPLY = String(id);
  const appended = await shell(documented('docs/guide/bot-without-sdk.md', 'append'), { ...env, REPLY });
  expect([...appended.matchAll(/"offset":(\d+)/g)].map(([, offset]) => offset)).toEqual(['5', '12', '12']);
  const ended = resultOf(await shell(documented('docs/guide/bot-without-sdk.md', 'finish'), { ...env, REPLY }));
  expect(ended).toMatchObject({ content: 'Good morning', status: 'complete', reply_to_id: QUESTION });
});

test('DOCS-5: the typical test of docs/packages/testing.md sends its message', async () => {
  const code = documented('docs/packages/testing.md', 'world');
  const read = 'return (await bob.api.getChatHistory({ chat_id })).items.at(-1)?.content;';
  const run: unknown = runInThisContext(`(async (createWorld) => { ${code}\n${read} })`);
  if (typeof run !== 'function') throw new Error('the block is no function');
  expect(await run(createWorld)).toBe('hello');
});
