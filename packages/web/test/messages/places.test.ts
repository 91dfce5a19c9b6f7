import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { Front } from '../setup/front.ts';
import { goOffline } from '../setup/offline.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const box = async (locator: Locator) => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await locator.boundingBox()) ?? {};
  return { left: x, top: y, right: x + width, bottom: y + height };
};

inChromium(
  'WEB-633: the actions of an own message leave its time and the list free, however narrow the page',
  async () => {
    await withStage(async (stage) => {
      for (const width of [700, 820, 1_200]) {
        const ann = await stage.person(`ann${width}`, { viewport: { width, height: 700 } });
        const { api } = await ann.actor();
        const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
        await api.sendMessage({ chat_id, text: 'A long message '.repeat(30) });
        await ann.open(chat_id);
        const message = ann.message('A long message');
        await message.hover();
        const actions = await box(message.getByRole('group', { name: 'Actions' }));
        const timeline = await box(ann.timeline);
        const time = await box(message.locator('time'));
        expect([width, actions.left >= timeline.left]).toEqual([width, true]);
        expect([width, actions.right <= time.left || actions.top >= time.bottom]).toEqual([width, true]);
        await stage.picture(`own-actions-${width}`, ann.page);
      }
    });
  },
);

inChromium(
  'WEB-404: a text that runs against the page stands beside its sender, in Arabic and in English',
  async () => {
    await withStage(async (stage) => {
      for (const [locale, text] of [
        ['ar', 'Short words'],
        ['en', 'كلمات قصيرة'],
      ] as const) {
        const ann = await stage.person(`ann_${locale}`, { locale });
        const bob = await stage.world.member(`bob_${locale}`);
        const { id: chat_id } = await bob.api.startChat({ usernames: [ann.username], title: 'Plans' });
        await bob.api.sendMessage({ chat_id, text });
        await ann.open(chat_id);
        const message = ann.page.locator('[data-message]', { hasText: text });
        const [words, picture] = [
          await box(message.locator('[data-text]')),
          await box(message.locator('.ui-press').first()),
        ];
        const gap = locale === 'ar' ? picture.left - words.right : words.left - picture.right;
        expect([locale, gap]).toEqual([locale, 12]);
        expect(words.right - words.left).toBeLessThan(200);
      }
    });
  },
);

inChromium('WEB-634: the note of a lost connection lies over the page and moves nothing', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    await api.sendMessage({ chat_id, text: 'hello' });
    await ann.open(chat_id);
    const message = ann.message('hello');
    await ann.page.locator('header').getByRole('button', { name: 'Invite people' }).waitFor();
    const before = await message.boundingBox();
    const head = await ann.page.getByRole('heading', { name: 'Plans' }).boundingBox();
    await goOffline(stage, front, ann);
    await ann.page.getByRole('status').getByText('You’re offline.').waitFor();
    const after = await message.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 9))).toBeLessThan(1);
    expect(await ann.page.getByRole('heading', { name: 'Plans' }).boundingBox()).toEqual(head);
    await stage.picture('offline-note', ann.page);
  });
});
