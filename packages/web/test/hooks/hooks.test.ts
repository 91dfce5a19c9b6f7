import { createClient } from '@parley/client';
import { useStore } from '@parley/react';
import { createWorld, type World } from '@parley/testing';
import type { Browser } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { inChromium, openBrowser } from '../setup/chromium.ts';
import { pageScript } from '../setup/page-script.ts';
import type { HooksPage } from './hooks-page.tsx';
import { View } from './hooks-view.tsx';

let script = '';
beforeAll(async () => {
  script = await pageScript(new URL('hooks-page.tsx', import.meta.url));
});

/** The global object of the page. */
declare const page: HooksPage;

/** What a server renders; the client must not use the network, for which there is nothing here. */
function rendered(token: string, chatId: string): string {
  const calls: unknown[] = [];
  const client = createClient({
    url: 'http://service.example',
    token,
    autoConnect: false,
    fetch: async (input) => {
      calls.push(input);
      throw new TypeError('no network');
    },
  });
  const html = renderToString(createElement(View, { client, chatId }));
  expect([client.state, calls]).toEqual(['closed', []]);
  return html;
}

/** Ann's page with the hooks, in a direct chat with her bot. */
async function open(work: (opened: Awaited<ReturnType<typeof arrive>>) => Promise<void>) {
  const browser = await openBrowser();
  await using world = await createWorld();
  const given = await arrive(browser, world);
  try {
    await work(given);
    expect(given.errors).toEqual([]);
  } finally {
    await given.shown.context().close();
  }
}

async function arrive(browser: Browser, world: World) {
  // A page may not use a development token.
  const ann = await world.member('ann');
  const bot = await world.bot(ann);
  const { id: chatId } = await world.direct(ann, bot);
  const context = await browser.newContext();
  const shown = await context.newPage();
  const errors: string[] = [];
  shown.on('pageerror', (error) => errors.push(String(error)));
  shown.on('console', (line) => {
    // The first socket of a provider in StrictMode is closed before it is open; the service has no favicon.ico.
    const isExpected = line.text().includes('WebSocket') || line.location().url.endsWith('/favicon.ico');
    if (line.type() === 'error' && !isExpected) errors.push(line.text());
  });
  // A page of the service without the app: Chromium gives a page that a test makes up no access to this machine.
  await shown.goto(`${world.url}/readyz`);
  const page = `<body data-token="${ann.token}" data-chat-id="${chatId}"><div id="view">${rendered(ann.token, chatId)}</div></body>`;
  await shown.setContent(page);
  const part = (name: string) => shown.locator(`[data-part=${name}]`);
  expect(await part('state').textContent()).toBe('closed');
  await shown.evaluate(script);
  await expect.poll(async () => part('state').textContent()).toBe('live');
  const rows = async () => shown.locator('li').allTextContents();
  return { world, ann, bot, chatId, shown, errors, part, rows };
}

inChromium('HOOK-1: hooks render on a server without a request, and the page is hydrated with the same', async () => {
  await open(async ({ shown, part }) => {
    expect(await shown.evaluate(() => page.problems)).toEqual([]);
    await expect.poll(async () => Number(await part('chats').textContent())).toBeGreaterThan(0);
    // A part of the page that is hydrated when the store has loaded already.
    expect(await part('late').textContent()).toBe('closed false');
    await shown.evaluate(() => page.hydrateLate());
    await expect.poll(async () => part('late').textContent()).toBe('live true');
    expect(await shown.evaluate(() => page.problems)).toEqual([]);
  });
});

inChromium('HOOK-2: a provider connects its client while it is mounted, also where effects run twice', async () => {
  await open(async ({ shown, part, bot, chatId, rows }) => {
    await shown.evaluate(() => page.unmount());
    expect(await shown.evaluate(() => [page.client.state, page.client.closeReason])).toEqual(['closed', 'closed']);
    await bot.api.sendMessage({ chat_id: chatId, text: 'while you were away' });
    await shown.evaluate(() => page.mount());
    await expect.poll(async () => part('state').textContent()).toBe('live');
    await expect.poll(rows).toEqual(['while you were away']);
    await bot.api.sendMessage({ chat_id: chatId, text: 'and now' });
    await expect.poll(rows).toEqual(['while you were away', 'and now']);
  });
});

inChromium('HOOK-3: a reply that is being written renders its own row, and nothing else', async () => {
  await open(async ({ shown, bot, chatId, rows }) => {
    const reply = await bot.api.startMessageStream({ chat_id: chatId });
    await bot.api.appendMessageStream({ message_id: reply.id, delta: 'One', offset: 3 });
    await expect.poll(rows).toEqual(['One']);
    const before = await shown.evaluate(() => ({ ...page.renders }));
    await bot.api.appendMessageStream({ message_id: reply.id, delta: ' and two', offset: 11 });
    await expect.poll(rows).toEqual(['One and two']);
    const after = await shown.evaluate(() => ({ ...page.renders }));
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(changed).toEqual([`row ${reply.id}`]);
  });
});

inChromium('HOOK-4: a composer keeps a draft, reports typing, and sends once', async () => {
  await open(async ({ shown, ann, bot, chatId, rows }) => {
    const socket = await bot.socket();
    const field = shown.getByLabel('Message');
    await field.pressSequentially(' Hello you');
    expect(await field.inputValue()).toBe(' Hello you');
    await socket.event('typing', ({ is_typing, actor }) => is_typing && actor.username === ann.username);
    await expect.poll(async () => (await ann.api.getDrafts()).items.map(({ text }) => text)).toEqual([' Hello you']);
    // A draft from another device.
    await ann.api.saveDraft({ chat_id: chatId, text: 'Hello from my phone' });
    await expect.poll(async () => field.inputValue()).toBe('Hello from my phone');
    await shown.getByRole('button', { name: 'Send' }).dblclick();
    await expect.poll(rows).toEqual(['Hello from my phone']);
    expect(await field.inputValue()).toBe('');
    await expect.poll(async () => (await ann.api.getDrafts()).items).toEqual([]);
    expect((await bot.api.getChatHistory({ chat_id: chatId })).items.map(({ content }) => content)).toEqual([
      'Hello from my phone',
    ]);
  });
});

inChromium(
  'HOOK-4: a composer of a thread clears the draft of the thread alone, and ends typing when it goes',
  async () => {
    await open(async ({ shown, ann, bot, chatId }) => {
      const root = await bot.api.sendMessage({ chat_id: chatId, text: 'root' });
      await ann.api.saveDraft({ chat_id: chatId, text: 'for later' });
      await shown.evaluate((id) => page.mount(id), root.id);
      const field = shown.getByLabel('Message');
      const socket = await bot.socket();
      // Mounting connected again; typing is told only while connected.
      await shown.locator('[data-part=state]', { hasText: 'live' }).waitFor();
      // Code keeps its indentation.
      await field.fill('  indented ');
      await socket.event('typing', ({ is_typing }) => is_typing);
      await shown.getByRole('button', { name: 'Send' }).click();
      await socket.event(
        'messageNew',
        ({ content, thread_root_id }) => content === '  indented' && thread_root_id === root.id,
      );
      await expect.poll(async () => (await ann.api.getDrafts()).items.map(({ text }) => text)).toEqual(['for later']);
      await field.fill('gone');
      await socket.event('typing', ({ is_typing }) => is_typing);
      await shown.evaluate(() => page.unmount());
      await socket.event('typing', ({ is_typing }) => !is_typing);
    });
  },
);

test('HOOK-5: a hook without a provider says that it needs one', () => {
  const Lost = () => createElement('p', null, useStore().me.get()?.username);
  expect(() => renderToString(createElement(Lost))).toThrow('this component needs a ParleyProvider around it');
});
