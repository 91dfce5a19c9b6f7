import { passwords } from '@parley/server/secrets/passwords.ts';
import { FakeIssuer } from '@parley/testing/providers/fake-issuer.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

inChromium(
  'WEB-721, WEB-723: an account is found and disabled, which says what stops and ends its page; then it is enabled',
  async () => {
    await withStage(async (stage) => {
      stage.watch.expect(/status of 401|4401/);
      const owner = await personWith(stage, 'owner', 'olga');
      const ben = await stage.person('ben');
      for (const name of ['amy', 'bella', 'cleo']) await stage.world.member(name);
      const page = await openAdmin(owner, 'accounts');
      const list = page.getByRole('list', { name: 'Accounts' });
      await list.getByRole('button').first().focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'End', 'ArrowUp', 'Home']) await page.keyboard.press(key);
      expect(
        await list
          .getByRole('button')
          .first()
          .evaluate((row) => row === document.activeElement),
      ).toBe(true);
      expect(await list.locator('button[tabindex="0"]').count()).toBe(1);

      await page.getByLabel('Search people by name').fill('@be');
      await expect.poll(() => list.getByRole('button').count()).toBe(2);
      await list.getByRole('button', { name: '@ben ' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'ben', exact: false }).first();
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('nothing that they have scheduled is sent').waitFor();
      await page
        .getByRole('dialog', { name: /^Disable/ })
        .getByRole('button', { name: 'Disable' })
        .click();
      await dialog.getByRole('button', { name: 'Enable' }).waitFor();
      await ben.page.getByRole('button', { name: 'Sign in' }).first().waitFor();

      await page.keyboard.press('Escape');
      await page.getByLabel('Search people by name').fill('');
      await page.getByLabel('State').selectOption('disabled');
      await expect.poll(() => list.getByRole('button').count()).toBe(1);
      await list.getByRole('button').click();
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByRole('button', { name: 'Disable' }).waitFor();
      const rows = await stage.world.sql("SELECT disabled_at FROM accounts WHERE username = 'ben'");
      expect(rows).toEqual([{ disabled_at: null }]);
    });
  },
);

inChromium('WEB-722: an admin changes members only; the only owner is told why they stay one', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 409|code: 409/);
    const owner = await personWith(stage, 'owner', 'olga');
    const admin = await personWith(stage, 'admin', 'adam');
    await stage.world.member('mia');
    const page = await openAdmin(admin, 'accounts');
    const row = (name: string) => page.getByRole('list', { name: 'Accounts' }).getByRole('button', { name });
    for (const name of ['@olga', '@adam']) {
      await row(name).click();
      await page.getByText('Your role doesn’t let you change this account.').waitFor();
      expect(await page.getByRole('dialog').getByRole('button').allInnerTexts()).toEqual(['']);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await row('@mia').click();
    const role = page.getByRole('dialog').getByLabel('Role');
    expect(await role.locator('option').allInnerTexts()).toEqual(['Guest', 'Member', 'Moderator']);
    await role.selectOption('moderator');
    await page.getByRole('button', { name: 'Change role' }).click();
    await page.getByRole('dialog').getByText('Saved').waitFor();
    await page.keyboard.press('Escape');
    await row('@mia · Moderator').waitFor();

    const other = await openAdmin(owner, 'accounts');
    await other.getByRole('list', { name: 'Accounts' }).getByRole('button', { name: '@olga' }).click();
    await other.getByRole('dialog').getByLabel('Role').selectOption('member');
    await other.getByRole('button', { name: 'Change role' }).click();
    await other.getByText('This is the only owner. Make someone else an owner first.').waitFor();
  });
});

inChromium('WEB-723: sessions are ended, and a link for a new password is shown once', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 401|4401/);
    const owner = await personWith(stage, 'owner', 'olga');
    const ben = await stage.person('ben');
    const page = await openAdmin(owner, 'accounts');
    await page.getByRole('list', { name: 'Accounts' }).getByRole('button', { name: '@ben' }).click();
    await page.getByRole('button', { name: 'End sessions' }).click();
    await page
      .getByRole('dialog', { name: /^End the/ })
      .getByRole('button', { name: 'End sessions' })
      .click();
    await page.getByText('1 session ended').waitFor();
    await ben.page.getByRole('button', { name: 'Sign in' }).first().waitFor();
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByRole('button', { name: 'Make a link' }).click();
    const once = page.getByRole('dialog', { name: 'A link for a new password' });
    const link = await once.getByLabel('Link', { exact: true }).inputValue();
    expect(link).toContain(`${stage.world.url}/password#`);
    await once.getByRole('button', { name: 'I’ve saved it' }).click();
    await ben.page.goto(link);
    await ben.page.getByLabel('New password').fill('another horse battery');
    await ben.page.getByRole('button', { name: 'Change password' }).click();
    await ben.page.getByText('Your password is changed').waitFor();
  });
});

inChromium(
  'WEB-723, WEB-724: where an issuer signs everybody in but owners, a link for a password is for owners only; closed sign-up is said',
  async () => {
    await using issuer = await FakeIssuer.start();
    const env = { OIDC: JSON.stringify([issuer.config({ only: true })]), SIGN_UP: 'closed' };
    await withStage(
      async (stage) => {
        const password = 'correct horse battery staple';
        await stage.world.people('olga', 'oscar', 'ben');
        await stage.world.sql("UPDATE accounts SET role = 'owner' WHERE username IN ('olga', 'oscar')");
        await stage.world.sql(
          "UPDATE accounts SET password_hash = $1 WHERE username = 'olga'",
          await passwords.hash(password),
        );
        const owner = await stage.browser();
        const { page } = owner;
        await page.getByRole('button', { name: 'Owners: sign in with a password' }).click();
        await page.getByLabel('Username').fill('olga');
        await page.getByLabel('Password', { exact: true }).fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.getByText('Pick a conversation').waitFor();
        await openAdmin(owner, 'accounts');
        const dialog = page.getByRole('dialog');
        for (const [name, links] of [
          ['@oscar', 1],
          ['@ben', 0],
        ] as const) {
          await page.getByRole('list', { name: 'Accounts' }).getByRole('button', { name }).click();
          await dialog.getByRole('button', { name: 'End sessions' }).waitFor();
          await expect.poll(() => dialog.getByRole('button', { name: 'Reset password' }).count()).toBe(links);
          await page.keyboard.press('Escape');
          await dialog.waitFor({ state: 'detached' });
        }
        await openAdmin(owner, 'invites');
        await page.getByText('Sign-up is closed here: no link lets anyone in.').waitFor();
      },
      { env },
    );
  },
);
