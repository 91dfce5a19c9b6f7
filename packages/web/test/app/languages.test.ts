import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { languages, translations } from '@parley/protocol/languages';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { Requests } from '../setup/requests.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const settings = [
  'profile',
  'emoji',
  'agents',
  'agents/new',
  'bots',
  'sessions',
  'notifications',
  'privacy',
  'calls',
  'webhooks',
  'appearance',
];
const markdown = 'Some *text* and `code`\n\n- one\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst one = 1;\n```';

for (const locale of translations)
  inChromium(
    `WEB-363: every page is laid out in ${locale}, on a phone in the dark too: nothing is cut off, axe finds nothing`,
    { timeout: 120_000 },
    async () => {
      await withStage(async (stage) => {
        const problems: string[] = [];
        for await (const { name, page } of pages(stage, locale)) {
          expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
            locale,
            languages[locale].direction,
          ]);
          const said = (await findings(page)).map((finding) => `${name}: ${finding}`);
          await stage.picture(`${locale}-${name}`, page);
          const wide = await cutOff(page);
          await page.setViewportSize(phone);
          await page.emulateMedia({ colorScheme: 'dark' });
          await stage.picture(`${locale}-${name}-phone`, page);
          const narrow = await cutOff(page);
          const saidOfPhone = (await findings(page)).map((finding) => `${name}, phone in the dark: ${finding}`);
          await page.emulateMedia({ colorScheme: null });
          await page.setViewportSize(screen);
          problems.push(
            ...said,
            ...saidOfPhone,
            ...wide.map((text) => `${name}: ${text}`),
            ...narrow.map((text) => `${name}, phone: ${text}`),
          );
        }
        expect(problems).toEqual([]);
      });
    },
  );

const screen = { width: 1_200, height: 800 };
const phone = { width: 390, height: 800 };

/** Opens one page after another in a browser of this language; all are found by their addresses. */
async function* pages(stage: Stage, locale: string): AsyncGenerator<{ name: string; page: Page }> {
  const visitor = await stage.browser({ locale, viewport: screen, reducedMotion: 'reduce' });
  await visitor.page.locator('form').waitFor();
  yield { name: 'welcome', page: visitor.page };
  const ann = await stage.person('ann', { locale, viewport: screen, reducedMotion: 'reduce' });
  const { page } = ann;
  const requests = new Requests(page);
  const { api } = await ann.actor();
  const bob = await stage.world.member('bob');
  const group = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const bot = await stage.world.bot(bob, 'helper');
  await bob.api.addGroupAgent({ chat_id: group.id, agent_username: bot.username });
  await bot.api.sendMessage({ chat_id: group.id, text: markdown });
  await bob.api.sendMessage({
    chat_id: group.id,
    text: '',
    poll: { question: 'When?', options: ['Monday', 'Tuesday'] },
  });
  const empty = await api.startChat({ usernames: [], title: 'Empty' });
  const guest = await api.startChat({ username: 'bob' });
  const { token } = await api.createInvite({ chat_id: empty.id });
  await api.blockUser({ username: 'bob' });

  const addresses: readonly (readonly [name: string, path: string, shown: string])[] = [
    ['home', '/', 'nav'],
    ['chat', `/chat/${group.id}`, '[data-message] table'],
    ['empty', `/chat/${empty.id}`, '[data-composer=timeline] textarea'],
    ['blocked', `/chat/${guest.id}`, 'main [role=group]'],
    ['inbox', '/inbox', 'main'],
    ['browse', '/browse', 'main'],
    ['agents', '/agents', 'main'],
    ['help', '/help', 'main'],
    ...settings.map((section) => [section.replace('/', '-'), `/settings/${section}`, 'h1, h2'] as const),
    ['join', `/join/${token}`, '[data-invite]'],
    ['missing', '/settings/nonsense', 'h1'],
  ];
  for (const [name, path, shown] of addresses) {
    await page.goto(new URL(path, page.url()).href);
    await page.locator(shown).first().waitFor();
    await requests.settled();
    yield { name, page };
  }
}

/** Texts of controls and headings that do not fit, and a page that scrolls sideways. */
const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll('button, h1, h2, h3, label, [role=tab], [role=radio]')];
    const found = controls
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      // A text for screen readers alone has a box of one pixel.
      .filter((control) => control.clientWidth > 1)
      .filter(
        (control) => control.scrollWidth > control.clientWidth + 1 && getComputedStyle(control).overflowX !== 'visible',
      )
      .map((control) => `cut off: ${control.textContent}`);
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`scrolls sideways: ${scrollWidth} of ${clientWidth} px`);
    return found;
  });
