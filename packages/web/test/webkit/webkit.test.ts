// The engine of Safari: `npm run try-webkit`. The tests in Chromium look at everything; these at what the engines do
// differently: layout, keys, storage, streams.
import { Actor, createWorld, type World } from '@parley/testing';
import { expect, test } from 'vitest';
import { accountIn } from '../setup/person.ts';
import { WebKit } from './webdriver.ts';

const ENTER = '\uE007';
const composer = '[data-composer=timeline] textarea';
const scroller = `document.querySelector('[role=log]')`;
const messages = `[...document.querySelectorAll('[data-message]')]`;

/** Signs in, as an account that was made elsewhere. */
async function signedIn(browser: WebKit, world: World, username: string): Promise<Actor> {
  await browser.goTo(world.url);
  const stored = await accountIn(world.url, username);
  await browser.run(
    `localStorage.clear(); for (const { name, value } of arguments[0]) localStorage.setItem(name, value)`,
    stored,
  );
  await browser.goTo(world.url);
  await browser.until(`document.querySelector('nav')`);
  return new Actor(world, username, stored.find(({ name }) => name === 'parley.token')?.value ?? '');
}

test('WEB-408: in WebKit one signs up, asks and reads the answer, also after a reload', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  await using browser = await WebKit.open();
  await browser.goTo(world.url);
  await browser.until(`document.querySelector('form')`);
  await browser.run(
    `[...document.querySelectorAll('button')].find((one) => one.innerText === 'Create an account')?.click()`,
  );
  for (const [name, text] of [
    ['name', 'Ann'],
    ['username', 'ann'],
    ['new-password', 'correct horse battery'],
  ] as const)
    await browser.type(`form input[autocomplete=${name}]`, text);
  await browser.run(`document.querySelector('button[type=submit]').click()`);
  await browser.type(composer, `What can I do here?${ENTER}`);
  const answered = `${messages}.length === 2 && ${messages}[1].matches('[data-status=complete], :has([data-status=complete])')`;
  await browser.until(answered);
  const texts = `return ${messages}.map((one) => one.querySelector('[data-text]').innerText)`;
  const read = await browser.run(texts);
  await browser.reload();
  await browser.until(answered);
  expect(await browser.run(texts)).toEqual(read);
});

test('WEB-408, WEB-9: WebKit opens a conversation at its end, and one scrolls up to its first message', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  await using browser = await WebKit.open();
  const { api } = await signedIn(browser, world, 'bob');
  const { id: chat_id } = await api.startChat({ usernames: [], title: 'Long' });
  for (let at = 0; at < 150; at += 1) await api.sendMessage({ chat_id, text: `line ${at}` });
  await browser.goTo(`${world.url}/chat/${chat_id}`);
  await browser.until(`${messages}.at(-1)?.innerText.includes('line 149')`);
  await browser.until(`${scroller}.scrollTop + ${scroller}.clientHeight > ${scroller}.scrollHeight - 2`);
  // It scrolls within the window, above the composer.
  const [bottom, top] = (await browser.run(
    `return [${scroller}, document.querySelector('${composer}')].map((one, at) => one.getBoundingClientRect()[at ? 'top' : 'bottom'])`,
  )) as [number, number];
  expect(bottom).toBeLessThanOrEqual(top);
  expect(await browser.run(`return ${messages}.length < 60`)).toBe(true);
  await expect
    .poll(async () => browser.run(`${scroller}.scrollTop = 0; return ${messages}[0].innerText`), { timeout: 15_000 })
    .toContain('line 0');
});

test('WEB-408: WebKit draws code, tables and formulas, and every page of the settings fits', async () => {
  await using world = await createWorld({ env: { RATE_LIMITS: '0' } });
  await using browser = await WebKit.open();
  const { api } = await signedIn(browser, world, 'cleo');
  const { id: chat_id } = await api.startChat({ usernames: [], title: 'Notes' });
  await api.sendMessage({ chat_id, text: '```ts\nconst one = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$x^2$$' });
  await browser.goTo(`${world.url}/chat/${chat_id}`);
  for (const shown of ['[data-message] table', '[data-message] pre span', '[data-message] .katex'])
    await browser.until(`document.querySelector('${shown}')`);
  for (const page of [
    'profile',
    'agents',
    'agents/new',
    'bots',
    'sessions',
    'notifications',
    'privacy',
    'appearance',
  ]) {
    await browser.goTo(`${world.url}/settings/${page}`);
    await browser.until(`document.querySelector('main h1, main h2')`);
    const wide = `return document.documentElement.scrollWidth - document.documentElement.clientWidth`;
    expect([page, await browser.run(wide)]).toEqual([page, 0]);
  }
});
