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
        await other.goto(new URL('/#sign_in=oc_used', other.url()).href);
        await other.reload();
        await other.getByText('This sign-in has expired. Start it again.').waitFor();
        expect(other.url()).not.toContain('sign_in');
      },
      { env },
    );
  },
);

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
