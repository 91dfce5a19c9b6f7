import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('name') ?? null);

inChromium('a browser that was never used here starts with sign-up, any other with sign-in', async () => {
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

    // Users of a new browser can switch to sign-in.
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
});

inChromium('with sign-up closed the page offers only sign-in', async () => {
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

inChromium('WEB-78: an invalid username or password is explained below its field', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 4(?:00|09)/);
    const { page } = await stage.browser();
    const username = page.getByLabel('Username');
    const password = page.getByLabel('Password', { exact: true });
    const note = async (field: typeof username) =>
      field.evaluate((input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent);
    const create = async (name: string, secret: string) => {
      await username.fill(name);
      await password.fill(secret);
      await page.getByRole('button', { name: 'Create account' }).click();
    };
    await create('Ann Lee', 'correct horse');
    await expect.poll(async () => note(username)).toBe('Use only the letters a to z, digits and _.');
    await expect.poll(async () => focused(page)).toBe('username');
    await create('ann', 'short');
    await expect.poll(async () => focused(page)).toBe('password');
    await expect.poll(async () => note(password)).toBe('Use at least 8 characters.');
    await create('ann', 'password1');
    await expect.poll(async () => note(password)).toMatch(/too common and easy to guess/);
    await create('annannann', 'annannann');
    await expect.poll(async () => note(password)).toBe('Your password can’t be your username. Choose another.');
    await create('parley', 'correct horse');
    await expect.poll(async () => note(username)).toBe('This username is taken. Try another.');
    await create('ann', 'correct horse');
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  });
});

inChromium('WEB-79: the sign-in page explains a session ended elsewhere, not a sign-out in this browser', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const actor = await ann.actor();
    const other = await stage.world.signIn(actor);
    await other.api.terminateOtherSessions();
    const reason = ann.page.getByText('You’ve been signed out');
    await reason.waitFor();
    await ann.signIn('ann');
    await ann.chats.waitFor();
    await ann.page.getByRole('button', { name: 'Menu' }).click();
    await ann.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ann.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await reason.count()).toBe(0);
  });
});

inChromium(
  'AUTH-20, AUTH-22: a browser keeps its device token after sign-out; an export long after sign-in asks for the password',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const devices = () => stage.world.sql<{ count: number }>('SELECT count(*) AS count FROM device_tokens');
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await ann.signIn('ann');
      await ann.chats.waitFor();
      expect(Number((await devices())[0]?.count)).toBe(1);

      await stage.world.sql('UPDATE sessions SET created_at = created_at - 1000000');
      await page.goto(new URL('/settings/profile', page.url()).href);
      await page.getByRole('button', { name: 'Download' }).click();
      const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
      await dialog.getByLabel('Password', { exact: true }).fill('not the password');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText('Wrong password. Try again.').waitFor();
      await dialog.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      expect((await download).suggestedFilename()).toBe('parley-ann.json');
      await dialog.waitFor({ state: 'hidden' });
    });
  },
);

inChromium(
  'WEB-632: each field that is wrong says so at once, and after deleting the account the page says it',
  async () => {
    await withStage(async (stage) => {
      stage.watch.expect(/status of 401/);
      const newcomer = await stage.browser();
      const { page } = newcomer;
      await page.getByLabel('Username').fill('With Blanks');
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').getByText('Use only the letters a to z, digits and _.').waitFor();
      await page.getByRole('alert').getByText('Use at least 8 characters.').waitFor();
      await expect.poll(async () => focused(page)).toBe('username');
      const edge = page.getByLabel('Username').evaluate((field) => {
        const { outlineColor, borderColor } = getComputedStyle(field);
        return outlineColor === borderColor;
      });
      expect(await edge).toBe(true);
      await stage.picture('door-wrong', page);

      // The first account owns the service, and cannot leave it without an owner.
      await stage.world.member('owner');
      const ann = await stage.person('ann');
      await ann.page.goto(`${stage.world.url}/settings/profile`);
      await ann.page.getByRole('button', { name: 'Delete my account' }).click();
      const dialog = ann.page.getByRole('dialog', { name: 'Delete your account' });
      await dialog.getByLabel('Password').fill('correct horse battery staple');
      await dialog.getByRole('button', { name: 'Delete forever' }).click();
      await ann.page.getByRole('status').getByText('The account @ann is deleted.').waitFor();
    });
  },
);
