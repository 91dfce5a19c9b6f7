import { FakeIssuer } from '@parley/testing/providers/fake-issuer.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-650, WEB-651: a person signs in at an issuer, comes back to the same place, and the code stays in no address',
  async () => {
    await using issuer = await FakeIssuer.start();
    const env = { OIDC: JSON.stringify([issuer.config()]) };
    await withStage(
      async (stage) => {
        stage.watch.expect(/status of 401|asked .*\/authorize/);
        const { page } = await stage.browser();
        await page.goto(new URL('/settings', page.url()).href);
        await page.getByRole('button', { name: 'Sign in with Corp' }).waitFor();
        await stage.picture('issuers', page);
        await page.getByRole('button', { name: 'Sign in with Corp' }).click();
        await page.locator('nav').first().waitFor();
        expect(new URL(page.url()).pathname).toBe('/settings');
        expect(page.url()).not.toContain('sign_in');
        await page.reload();
        await page.locator('nav').first().waitFor();
        expect(await page.context().cookies()).toMatchObject([
          { name: 'parley_sign_in', httpOnly: true, sameSite: 'Lax' },
        ]);

        // A code that is used up says so.
        const { page: other } = await stage.browser();
        const used = new URL('/#sign_in=oc_used', other.url()).href;
        // Only a new page looks at its address.
        await other.goto('about:blank');
        await other.goto(used);
        await other.getByText('This sign-in has expired. Start it again.').waitFor();
        expect(other.url()).not.toContain('sign_in');
      },
      { env },
    );
  },
);

inChromium('WEB-743, WEB-744: a browser that is signed in says so, or asks before it changes accounts', async () => {
  await using issuer = await FakeIssuer.start();
  const env = { OIDC: JSON.stringify([issuer.config()]) };
  await withStage(
    async (stage) => {
      stage.watch.expect(/status of 401|asked .*\/authorize/);
      const ann = await stage.person('ann');
      const { page } = ann;
      const signIn = () => page.goto(new URL('/oidc/corp/start?next=/settings', page.url()).href);
      const whoIsIt = () => page.evaluate(() => localStorage.getItem('parley.username'));
      await signIn();
      const dialog = page.getByRole('dialog', { name: 'Change accounts?' });
      await dialog.getByText('This browser is signed in as @ann.').waitFor();
      await stage.picture('change-accounts', page);
      expect(page.url()).not.toContain('sign_in');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await whoIsIt()).toBe('ann');
      await signIn();
      await dialog.getByRole('button', { name: /^Change to @/ }).click();
      await expect.poll(whoIsIt).not.toBe('ann');
      await page.locator('nav').first().waitFor();

      // The same account again, and a code that is used up.
      await signIn();
      await page
        .getByRole('dialog', { name: 'You’re signed in already' })
        .getByRole('button', { name: 'Close' })
        .last()
        .click();
      const used = new URL('/#sign_in=oc_used', page.url()).href;
      await page.goto('about:blank');
      await page.goto(used);
      await page.getByRole('dialog', { name: 'You’re signed in already' }).waitFor();
      const { items } = await (await ann.actor()).api.getSessions();
      expect(items).toHaveLength(1);

      // This account has no password, and is asked for none.
      await page.goto(new URL('/settings', page.url()).href);
      await page.getByRole('button', { name: 'Delete my account' }).waitFor();
      await expect.poll(() => page.getByLabel('Current password').count()).toBe(0);
      await page.getByRole('button', { name: 'Delete my account' }).click();
      const asking = page.getByRole('dialog', { name: 'Delete your account' });
      expect(await asking.getByLabel('Password').count()).toBe(0);
      await stage.picture('delete-without-password', page);
      await asking.getByRole('button', { name: 'Delete forever' }).click();
      await page.getByText(/is deleted/).waitFor();
    },
    { env },
  );
});

inChromium(
  'WEB-652: where only owners have passwords, the form is behind a link, and nobody is offered a new account',
  async () => {
    await using issuer = await FakeIssuer.start();
    const env = { OIDC: JSON.stringify([issuer.config({ only: true })]) };
    await withStage(
      async (stage) => {
        const { page } = await stage.browser({ viewport: { width: 390, height: 800 } });
        await page.getByRole('button', { name: 'Sign in with Corp' }).waitFor();
        const password = page.getByLabel('Password', { exact: true });
        await expect.poll(() => password.count()).toBe(0);
        expect(await page.getByRole('button', { name: 'account' }).count()).toBe(0);
        await stage.picture('only-issuers', page);
        await page.getByRole('button', { name: 'Owners: sign in with a password' }).click();
        await password.waitFor();
      },
      { env },
    );
  },
);
