import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@parley/client';
import { type Actor, createWorld, type World } from '@parley/testing';
import { documented } from '@parley/testing/documents/code-blocks.ts';
import type { Page } from 'playwright-core';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { build as viteBuild, type Rolldown } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import { findings } from '../setup/axe.ts';
import { Chat } from '../../../../examples/react/chat.tsx';
import { inChromium, openBrowser } from '../setup/chromium.ts';
import { pageScript } from '../setup/page-script.ts';
import { picture } from '../setup/pictures.ts';
import type { ComponentsPage } from './components-page.tsx';

const root = new URL('../../../../', import.meta.url);
let script = '';
let styles = '';
beforeAll(async () => {
  styles = (await Promise.all(['packages/react/styles.css', 'examples/react/chat.css'].map(builtByVite))).join('');
  script = await pageScript(new URL('components-page.tsx', import.meta.url));
});

/** A style sheet as Vite rewrites it for the browsers that it supports. */
async function builtByVite(path: string): Promise<string> {
  const input = fileURLToPath(new URL(path, root));
  const build = await viteBuild({
    configFile: false,
    logLevel: 'error',
    build: { write: false, rolldownOptions: { input } },
  });
  const { output } = [build].flat()[0] as Rolldown.RolldownOutput; // it does not watch
  return output.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('');
}

const messages = (shown: Page) => shown.getByRole('log', { name: 'Messages' });

/** The global object of the page. */
declare const page: ComponentsPage;

interface Opened {
  world: World;
  shown: Page;
  ann: Actor;
  bot: Actor;
  chatId: string;
  send: (text: string) => Promise<{ id: string }>;
  rows: () => Promise<string[]>;
  scrollTop: () => Promise<number>;
}

/** Ann's page with the components, in her chat with a bot that has sent `count` messages, of which she has read one. */
async function open(count: number, work: (opened: Opened) => Promise<void>, given = {}): Promise<void> {
  const browser = await openBrowser();
  await using world = await createWorld();
  // A page may not use a development token.
  const ann = await world.member('ann');
  const bot = await world.bot(ann);
  const { id: chatId } = await world.direct(ann, bot);
  const send = async (text: string) => bot.api.sendMessage({ chat_id: chatId, text });
  for (let at = 1; at <= count; at += 1) {
    const { id } = await send(`message ${at}`);
    if (at === 1) await ann.api.markRead({ chat_id: chatId, message_id: id });
  }
  const context = await browser.newContext({ viewport: { width: 900, height: 700 }, ...given });
  try {
    const shown = await context.newPage();
    const errors: string[] = [];
    shown.on('pageerror', (error) => errors.push(String(error)));
    // A page of the service without the app: Chromium gives a page that a test makes up no access to this machine.
    await shown.goto(`${world.url}/readyz`);
    await shown.setContent(
      `<!doctype html><html lang="en"><head><title>Chat</title><meta name="color-scheme" content="light dark"></head><body data-token="${ann.token}"><div id="root"></div></body></html>`,
    );
    await shown.addStyleTag({ content: styles });
    await shown.evaluate(script);
    await shown.getByRole('navigation', { name: 'Conversations' }).getByRole('button').first().click();
    const rows = async () => shown.getByRole('article').allTextContents();
    const scrollTop = async () => messages(shown).evaluate((log) => log.scrollTop);
    await work({ world, shown, ann, bot, chatId, send, rows, scrollTop });
    expect(errors).toEqual([]);
  } finally {
    await context.close();
  }
}

inChromium(
  'HOOK-6: a Timeline opens at the first unread message, mounts what is in sight, and loads the rest',
  async () => {
    await open(120, async ({ shown, ann, chatId, rows, scrollTop, send }) => {
      await shown.getByText('New messages').waitFor();
      await expect.poll(async () => (await rows()).join()).toContain('message 2');
      const log = messages(shown);
      // To the end, as far as pages follow.
      await shown.getByRole('button', { name: 'Newest messages' }).click();
      await messages(shown).getByText('message 120', { exact: true }).waitFor();
      await expect.poll(async () => (await ann.api.getChat({ chat_id: chatId })).unread_count).toBe(0);
      // At its end it follows what is new.
      await send('the newest');
      await messages(shown).getByText('the newest', { exact: true }).waitFor();
      await expect
        .poll(async () => log.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 60))
        .toBe(true);
      // Away from it, it stays where it is.
      await log.evaluate((one) => (one.scrollTop -= 1_000));
      await shown.getByRole('button', { name: 'Newest messages' }).waitFor();
      const before = await scrollTop();
      await send('unseen');
      await shown.getByRole('navigation').getByText('unseen').waitFor();
      expect(await scrollTop()).toBe(before);
      // Older pages follow as it is scrolled, up to the first message.
      const atTop = async () => {
        await log.evaluate((one) => (one.scrollTop = 0));
        return shown.getByText('message 1', { exact: true }).isVisible();
      };
      await expect.poll(atTop).toBe(true);
      // More than 120 messages are loaded now.
      expect((await rows()).length).toBeLessThan(60);
    });
  },
);

inChromium('HOOK-6: a Timeline is one stop of the Tab key, and announces a reply once it has finished', async () => {
  await open(3, async ({ shown, bot, chatId }) => {
    await messages(shown).getByText('message 3', { exact: true }).waitFor();
    await shown.getByRole('article').last().focus();
    await shown.keyboard.press('ArrowUp');
    const focused = async () => shown.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toContain('message 2');
    await shown.keyboard.press('Home');
    await expect.poll(focused).toContain('message 1');
    expect(await shown.locator('[role=log] [tabindex="0"]').count()).toBe(1);
    const reply = await bot.api.startMessageStream({ chat_id: chatId });
    await bot.api.appendMessageStream({ message_id: reply.id, delta: 'One', offset: 3 });
    await messages(shown).getByText('One', { exact: true }).waitFor();
    const heard = shown.getByRole('status');
    expect(await heard.textContent()).toBe('');
    await bot.api.finishMessageStream({ message_id: reply.id });
    await expect.poll(async () => heard.textContent()).toContain(': One');
  });
});

inChromium('HOOK-6: the row of a reply with versions shows the one that was chosen', async () => {
  await open(1, async ({ world, shown, ann, rows }) => {
    await ann.api.setAgentKey({ provider: 'provider_a', api_key: 'key' });
    const { id: chat_id } = await ann.api.startChat({ username: 'ann:provider_a' });
    const ids: string[] = [];
    for (const text of ['first words', 'second words']) {
      world.providers.script('key', { chunks: [text] });
      const [first] = ids;
      if (first === undefined) await ann.api.sendMessage({ chat_id, text: 'where?' });
      else await ann.api.retryReply({ message_id: first });
      await world.turnsEnded();
      ids.push((await ann.api.getChatHistory({ chat_id })).items.at(-1)?.id ?? '');
    }
    await shown.getByRole('navigation').getByRole('button', { name: 'second words' }).click();
    const last = async () => (await rows()).at(-1);
    await expect.poll(last).toContain('second words');
    await ann.api.chooseVersion({ message_id: ids[0] ?? '' });
    await expect.poll(last).toContain('first words');
    expect((await rows()).join()).not.toContain('second words');
  });
});

inChromium('HOOK-6, HOOK-8: what rows, lists and notes show can be replaced, and the words too', async () => {
  await open(2, async ({ shown, ann, chatId }) => {
    const { id } = await ann.api.startChat({ usernames: [], title: 'Empty' });
    await shown.getByRole('button', { name: 'Empty' }).waitFor();
    await shown.evaluate((ids) => page.replace(ids), [chatId, id]);
    await shown.getByText('theirs message 2 after message 1').waitFor();
    await shown.getByText('Nothing here').waitFor();
    expect(await shown.getByRole('log').evaluateAll((logs) => logs.map((log) => log.ariaLabel))).toEqual([
      `Letters of ${chatId}`,
      `Letters of ${id}`,
    ]);
    expect(await shown.getByRole('navigation').getByText('0 new').count()).toBeGreaterThan(0);
    await shown.getByRole('button', { name: 'Files' }).waitFor();
    await shown.getByRole('textbox').fill('mine');
    await shown.getByRole('button', { name: 'Off it goes' }).click();
    await shown.getByText('own mine after message 2').waitFor();
  });
});

inChromium(
  'HOOK-14: line ends of a text are kept, and those between the elements of renderText add no lines',
  async () => {
    await open(1, async ({ shown, send, chatId }) => {
      await send('first\nsecond');
      const whiteSpaceOf = async (text: string) =>
        shown
          .getByRole('article')
          .getByText(text)
          .last()
          .evaluate((element) => getComputedStyle(element).whiteSpace);
      expect(await whiteSpaceOf('second')).toBe('pre-wrap');
      await shown.evaluate((ids) => page.replace(ids), [chatId]);
      expect(await whiteSpaceOf('theirs')).toBe('normal');
    });
  },
);

test('HOOK-1: components render on a server, without a request', () => {
  const calls: unknown[] = [];
  const client = createClient({
    url: 'http://service.example',
    token: 'x',
    autoConnect: false,
    fetch: async (input) => {
      calls.push(input);
      throw new TypeError('no network');
    },
  });
  const html = renderToString(createElement(Chat, { client }));
  expect(html).toContain('Loading conversations');
  expect([client.state, calls]).toEqual(['closed', []]);
});

inChromium(
  'HOOK-7: a Composer sends on Enter, but not while an input method composes, and keeps what it cannot send',
  async () => {
    await open(1, async ({ shown, rows }) => {
      const field = shown.getByRole('textbox', { name: 'Message' });
      await field.pressSequentially('first');
      await shown.keyboard.press('Shift+Enter');
      await field.pressSequentially('second');
      await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
      expect(await field.inputValue()).toBe('first\nsecond');
      await shown.keyboard.press('Enter');
      await expect.poll(async () => (await rows()).at(-1)).toContain('first\nsecond');
      expect(await field.inputValue()).toBe('');
      await field.fill('late');
      await shown.evaluate(() => page.client.close());
      await shown.keyboard.press('Enter');
      await shown.getByRole('alert').waitFor();
      expect(await field.inputValue()).toBe('late');
    });
  },
);

inChromium('HOOK-7: on a touch screen Enter starts a line', async () => {
  await open(
    1,
    async ({ shown, rows }) => {
      const field = shown.getByRole('textbox', { name: 'Message' });
      await field.fill('one');
      await shown.keyboard.press('Enter');
      expect(await field.inputValue()).toBe('one\n');
      await shown.getByRole('button', { name: 'Send' }).click();
      await expect.poll(async () => (await rows()).at(-1)).toContain('one');
    },
    { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } },
  );
});

inChromium(
  'HOOK-8: a ChatList shows titles, unread messages and which conversation is open, and the newest one first',
  async () => {
    await open(1, async ({ shown, ann, chatId, send }) => {
      const list = shown.getByRole('navigation', { name: 'Conversations' });
      const current = async () => list.locator('[aria-current=page]').allTextContents();
      await expect.poll(async () => (await current()).join()).toContain('message 1');
      const { id } = await ann.api.startChat({ usernames: [], title: 'Elsewhere' });
      await ann.api.sendMessage({ chat_id: id, text: 'hello' });
      await expect.poll(async () => list.getByRole('button').first().textContent()).toContain('Elsewhere');
      await list.getByText('Elsewhere').click();
      await expect.poll(async () => (await current()).join()).toContain('Elsewhere');
      await send('are you there?');
      await list.getByLabel('1 unread').waitFor();
      await expect.poll(async () => list.getByRole('button').first().textContent()).toContain('are you there?');
      await ann.api.setChatState({ chat_id: chatId, is_archived: true });
      await expect.poll(async () => (await list.allTextContents()).join()).not.toContain('are you there?');
    });
  },
);

inChromium('HOOK-9: the components follow the page’s color-scheme and pass axe, also as wide as a phone', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1_200])
      await open(
        3,
        async ({ shown }) => {
          await messages(shown).getByText('message 3', { exact: true }).waitFor();
          await shown.getByRole('textbox').fill('Hello');
          const look = async () =>
            shown
              .locator('.parley-composer')
              .evaluate((one) => [
                getComputedStyle(one).backgroundColor,
                getComputedStyle(one.querySelector('.parley-composer-send') ?? one).backgroundColor,
              ]);
          const [surface, accent] = await look();
          expect(surface === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
          expect([surface, 'rgba(0, 0, 0, 0)']).not.toContain(accent);
          expect(await findings(shown)).toEqual([]);
          // The page needs no scrolling, and has the list or the conversation if it is narrow.
          expect(await shown.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
          expect(await shown.getByRole('navigation').isVisible()).toBe(width > 390);
          await picture(`components-${colorScheme}-${width}`, shown);
          if (width === 390) {
            await shown.getByRole('button', { name: 'Conversations' }).click();
            await shown.getByRole('navigation').getByRole('button').first().waitFor();
            await picture(`components-${colorScheme}-${width}-list`, shown);
            await shown.getByRole('navigation').getByRole('button').first().click();
          }
          // A page that is light for everyone.
          await shown.evaluate(() => (document.documentElement.style.colorScheme = 'light'));
          await expect.poll(async () => (await look())[0]).toBe('rgb(255, 255, 255)');
        },
        { colorScheme, viewport: { width, height: 844 } },
      );
});

inChromium('HOOK-11: a Timeline jumps to its end when the user sends, and follows it', async () => {
  await open(120, async ({ shown, ann, bot, chatId, scrollTop }) => {
    const log = messages(shown);
    const isAtEnd = async () => log.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight < 60);
    // It opens at the first unread message; the newest ones are not loaded.
    await shown.getByText('New messages').waitFor();
    await shown.getByRole('textbox', { name: 'Message' }).fill('from the top');
    await shown.getByRole('button', { name: 'Send' }).click();
    await log.getByText('from the top', { exact: true }).waitFor();
    await expect.poll(isAtEnd).toBe(true);
    const reply = await bot.api.startMessageStream({ chat_id: chatId });
    const delta = 'line\n\n'.repeat(40);
    await bot.api.appendMessageStream({ message_id: reply.id, delta, offset: delta.length });
    await log.getByText('line').waitFor();
    await expect.poll(isAtEnd).toBe(true);
    // Away from its end again.
    await log.evaluate((one) => (one.scrollTop -= 1_500));
    await shown.getByRole('button', { name: 'Newest messages' }).waitFor();
    // A message from another device, or to another timeline, moves nothing.
    const before = await scrollTop();
    await ann.api.sendMessage({ chat_id: chatId, text: 'from the phone' });
    await shown.getByRole('navigation').getByText('from the phone').waitFor();
    const { id: elsewhere } = await ann.api.startChat({ usernames: [], title: 'Elsewhere' });
    await shown.evaluate((chat_id) => page.client.send({ chat_id, text: 'to the others' }), elsewhere);
    await shown.getByRole('navigation').getByText('to the others').waitFor();
    expect(await scrollTop()).toBe(before);
    await shown.getByRole('textbox', { name: 'Message' }).fill('from the middle');
    await shown.getByRole('button', { name: 'Send' }).click();
    await log.getByText('from the middle', { exact: true }).waitFor();
    await expect.poll(isAtEnd).toBe(true);
  });
});

inChromium('HOOK-12: a ChatList says why it cannot load', async () => {
  const browser = await openBrowser();
  await using world = await createWorld();
  const ann = await world.member('ann');
  const context = await browser.newContext();
  try {
    const shown = await context.newPage();
    await shown.goto(`${world.url}/readyz`);
    const show = async (token: string) => {
      await shown.setContent(`<body data-token="${token}"><div id="root"></div></body>`);
      await shown.evaluate(script);
    };
    const note = shown.getByRole('navigation').getByRole('status');
    await show('s_wrong');
    await note.getByText('You’re signed out. Sign in again.').waitFor();
    // As a browser treats a page whose origin the service does not allow: no socket, and no answer.
    await shown.routeWebSocket('**/api/ws*', async (socket) => socket.close());
    await shown.route('**/api/**', async (route) => route.abort());
    await show(ann.token);
    await note.getByText('Couldn’t connect. Trying again …').waitFor();
    await shown.evaluate(() => page.client.close());
    await shown.evaluate(() => page.client.connect());
    await note.getByText('Couldn’t connect. Trying again …').waitFor();
    await shown.evaluate(() => page.replace([]));
    await note.getByText('Nobody answers').waitFor();
  } finally {
    await context.close();
  }
});

inChromium('HOOK-13: a Timeline without a ChatList says why it cannot load', async () => {
  const browser = await openBrowser();
  await using world = await createWorld();
  const ann = await world.member('ann');
  const { id: chatId } = await ann.api.startChat({ usernames: [], title: 'Team' });
  const context = await browser.newContext();
  try {
    const shown = await context.newPage();
    await shown.goto(`${world.url}/readyz`);
    const show = async (token: string) => {
      await shown.setContent(`<body data-token="${token}"><div id="root"></div></body>`);
      await shown.evaluate(script);
      await shown.evaluate((id) => page.showAlone(id), chatId);
    };
    const shows = async (text: string) => {
      await expect.poll(async () => shown.locator('#root').innerText()).toBe(text);
    };
    await show('s_wrong');
    await shows('You’re signed out. Sign in again.');
    await shown.routeWebSocket('**/api/ws*', async (socket) => socket.close());
    await shown.route('**/api/**', async (route) => route.abort());
    await show(ann.token);
    await shows('Couldn’t connect. Trying again …');
    await shown.evaluate((id) => page.showAlone(id, { failing: 'Nobody answers' }), chatId);
    await shows('Nobody answers');
  } finally {
    await context.close();
  }
});

inChromium('HOOK-13: once the user is signed out, a Timeline says so above its messages', async () => {
  await open(40, async ({ shown, ann, chatId }) => {
    await shown.evaluate((id) => page.showAlone(id), chatId);
    const toEnd = shown.getByRole('button', { name: 'Newest messages' });
    await toEnd.click();
    const newest = messages(shown).getByText('message 40', { exact: true });
    await newest.waitFor();
    await toEnd.waitFor({ state: 'detached' });
    const note = shown.getByText('You’re signed out. Sign in again.');
    expect(await note.count()).toBe(0);
    await ann.api.signOut();
    await note.waitFor();
    const [noted, log] = [await note.boundingBox(), await messages(shown).boundingBox()];
    if (!noted || !log) throw new Error('both are shown');
    expect(noted.y + noted.height).toBeLessThanOrEqual(log.y);
    expect(log.y + log.height).toBe(300);
    const isInSight = async () => {
      const box = await newest.boundingBox();
      return box !== null && box.y + box.height <= 300;
    };
    await expect.poll(isInSight).toBe(true);
  });
});

test('HOOK-10: the chat of docs/packages/react.md is that of examples/react, in about 30 lines', async () => {
  const code = documented('docs/packages/react.md', 'chat');
  expect(code).toBe(await readFile(new URL('examples/react/chat.tsx', root), 'utf8'));
  expect(code.split('\n').length).toBeLessThan(36);
  expect(documented('docs/packages/react.md', 'look')).toBe(
    await readFile(new URL('examples/react/chat.css', root), 'utf8'),
  );
  expect(documented('docs/guide/first-app.md', 'main')).toBe(
    await readFile(new URL('examples/react/main.tsx', root), 'utf8'),
  );
});

test('HOOK-10: the pages for Next in the README are those that `npm run try-packages` builds', async () => {
  for (const name of ['layout', 'provider', 'page'])
    expect(documented('packages/react/README.md', name)).toBe(
      await readFile(new URL(`scripts/packages/trials/next/app/${name}.tsx`, root), 'utf8'),
    );
});
