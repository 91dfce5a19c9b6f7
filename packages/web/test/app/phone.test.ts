import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-10: on a phone list and conversation are separate screens, Back switches between them, nothing overflows',
  async () => {
    await withStage(async (stage) => {
      const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
      const ann = await stage.person('ann', phone);
      const bob = await stage.world.member('bob');
      const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
      await bob.api.sendMessage({ chat_id, text: 'Are you on your phone?' });
      const isFitting = () => ann.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await ann.chat('bob').waitFor();
      await stage.picture('phone-list', ann.page);
      expect(await ann.composer.isVisible()).toBe(false);
      await ann.chat('bob').tap();
      await ann.message('Are you on your phone?').waitFor();
      await ann.chats.waitFor({ state: 'hidden' });
      // On touch screens Enter starts a line, and the button sends.
      await ann.composer.fill('Yes');
      await ann.composer.press('Enter');
      await ann.composer.pressSequentially('I am');
      await ann.page.getByRole('button', { name: 'Send', exact: true }).tap();
      await ann.message('I am').and(ann.page.locator('[data-status=complete]')).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-chat', ann.page);

      await ann.page.getByRole('button', { name: 'Details' }).tap();
      await ann.page.getByRole('dialog', { name: 'Details' }).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-details', ann.page);
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();

      await ann.page.getByRole('button', { name: 'All conversations' }).tap();
      await ann.chats.waitFor();
      await ann.composer.waitFor({ state: 'detached' });
      await ann.page.goBack();
      await ann.message('I am').waitFor();
      await ann.page.goBack();
      await ann.chats.waitFor();

      await ann.page.getByRole('button', { name: 'Menu' }).tap();
      await ann.page.getByRole('menuitem', { name: 'Settings' }).tap();
      await ann.page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-settings', ann.page);
      await ann.page.getByRole('button', { name: 'All conversations' }).tap();
      await ann.chats.waitFor();
      expect((await bob.api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject({ content: 'Yes\nI am' });
    });
  },
);

inChromium('WEB-407: what a finger presses is at least 44 pixels high', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const visitor = await stage.browser(phone);
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    const small = new Set(await smallTargets(visitor.page));
    const ann = await stage.person('ann', phone);
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id } = await bob.api.sendMessage({ chat_id, text: 'hello' });
    await api.setMessageReaction({ message_id: id, emoji: '👍' });
    await bob.api.sendMessage({ chat_id, text: 'an answer', reply_to_message_id: id });
    await bob.api.pinMessage({ chat_id, message_id: id });
    await ann.page.getByRole('link', { name: /Plans/ }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    await ann.open(chat_id);
    await ann.message('an answer').waitFor();
    await ann.message('hello').getByRole('button', { name: /👍/ }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    await ann.page.goto(`${stage.world.url}/settings/profile`);
    await ann.page.getByRole('button', { name: 'Save status' }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    expect([...small]).toEqual([]);
  });
});

/** The controls in view that a finger 21 pixels above or below their middle misses. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll('button, select, input:not([type=file]), textarea, nav a, [role=tab]');
    return [...controls]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        const middle = y + height / 2;
        const isWithin = width > 1 && x >= 0 && x + width <= innerWidth && middle > 30 && middle < innerHeight - 30;
        const at = (down: number) =>
          document.elementFromPoint(x + width / 2, middle + down)?.closest('button, a, input, select, textarea, label');
        // Something else lies over it.
        if (!isWithin || at(0) !== control) return false;
        return at(-21) !== control || at(21) !== control;
      })
      .map(
        (control) =>
          `${control.getAttribute('aria-label') ?? control.textContent} ${control.getBoundingClientRect().height}`,
      );
  });
