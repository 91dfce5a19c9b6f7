import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-11: keyboard only: sign in, search a message, jump to it, write, reply, react', async () => {
  await withStage(async (stage) => {
    const owner = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
    await bob.api.sendMessage({ chat_id, text: 'the needle of long ago' });
    for (let at = 0; at < 120; at += 1) await bob.api.sendMessage({ chat_id, text: `hay ${at}` });
    await owner.context.close();

    const ann = await stage.browser();
    const { page } = ann;
    const { keyboard } = page;
    const focused = () =>
      page.evaluate(() => {
        const one = document.activeElement;
        return one === document.body ? '' : (one?.getAttribute('aria-label') ?? one?.textContent ?? '');
      });
    const tabTo = async (name: string): Promise<void> => {
      for (let stops = 0; stops < 40; stops += 1) {
        if ((await focused()).includes(name)) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}`);
    };

    // A browser that was never used here starts with sign-up.
    await page.getByLabel('Username').waitFor();
    await tabTo('Sign in');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
    await keyboard.type('ann');
    await keyboard.press('Tab');
    await keyboard.type('correct horse battery staple');
    await keyboard.press('Enter');
    await ann.chat('bob').waitFor();

    // The conversation list.
    await tabTo('bob');
    await keyboard.press('Enter');
    await ann.composer.waitFor();
    await ann.message('hay 119').waitFor();
    await expect.poll(focused).toBe('Message');
    await keyboard.type('one line');
    await keyboard.press('Shift+Enter');
    await keyboard.type('and another');
    await keyboard.press('Enter');
    await ann.message('and another').and(page.locator('[data-status=complete]')).waitFor();

    // Search and jump to the hit.
    await keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await keyboard.type('needle');
    await page.getByRole('option').filter({ hasText: 'needle' }).waitFor();
    await stage.picture('search', page);
    while (!(await page.getByRole('option', { selected: true }).innerText()).includes('needle'))
      await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    const needle = ann.message('the needle of long ago');
    await needle.waitFor();
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'detached' });
    await expect
      .poll(async () =>
        needle.evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        }),
      )
      .toBe(true);

    // The messages are one Tab stop; arrows move between them.
    await page.getByRole('button', { name: 'Jump to latest' }).press('Enter');
    await ann.message('and another').waitFor();
    await ann.composer.focus();
    await keyboard.press('Shift+Tab');
    while (!(await focused()).startsWith('You, ')) await keyboard.press('Shift+Tab');
    await keyboard.press('ArrowUp');
    await expect.poll(focused).toMatch(/^bob, /i);
    await keyboard.press('Tab');
    await expect.poll(focused).toBe('React');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('[data-composing=reply]').waitFor();
    await expect.poll(focused).toBe('Message');
    await keyboard.press('Escape');
    await page.locator('[data-composing=reply]').waitFor({ state: 'detached' });

    // The list of shortcuts.
    await page.getByRole('button', { name: 'New conversation' }).focus();
    await keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
