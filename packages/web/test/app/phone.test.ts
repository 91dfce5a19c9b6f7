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
