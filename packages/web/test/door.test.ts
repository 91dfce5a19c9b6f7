import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from './chromium.ts';
import { withStage } from './stage.ts';

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

inChromium(
  'WEB-52: a browser in which nobody had an account begins with making one, any other with signing in',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.browser();
      const { page } = ann;
      const create = page.getByRole('button', { name: 'Create account' });
      const signIn = page.getByRole('button', { name: 'Sign in' });
      await create.waitFor();
      await expect.poll(async () => focused(page)).toBe('name');
      await page.getByLabel('Your name (optional)').waitFor();
      const needed = page.locator('input:required');
      expect(await needed.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))).toEqual([
        'username',
        'password',
      ]);
      await stage.picture('door', page);

      // One may have an account all the same.
      await signIn.click();
      await expect.poll(async () => focused(page)).toBe('username');
      await page.getByRole('button', { name: 'Create an account' }).click();
      await expect.poll(async () => focused(page)).toBe('name');
      await ann.signUp('ann');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await expect.poll(async () => focused(page)).toBe('username');
      await page.reload();
      await signIn.waitFor();
      expect(await create.count()).toBe(0);
      await expect.poll(async () => focused(page)).toBe('username');
      await ann.signIn('ann');
    });
  },
);

inChromium('WEB-52: where nobody may make an account, one signs in', async () => {
  await withStage(
    async (stage) => {
      const { page } = await stage.browser();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await expect.poll(async () => focused(page)).toBe('username');
      expect(await page.getByRole('button', { name: 'account' }).count()).toBe(0);
    },
    { env: { SIGN_UP: 'closed' } },
  );
});
