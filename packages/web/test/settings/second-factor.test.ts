import { totpCode } from '@parley/server/secrets/totp.ts';
import { expect } from 'vitest';
import { openAdmin, personWith } from '../admin/setup.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { picture } from '../setup/pictures.ts';
import { withStage } from '../setup/stage.ts';

const password = 'correct horse battery staple';
/** What the app on a phone shows in so many half minutes. */
const codeOf = (secret: string, later = 0): string => totpCode(secret, Math.floor(Date.now() / 30_000) + later);

/** Goes through the set-up on the page; returns the secret and the recovery codes. */
async function setUp({ page }: Person): Promise<{ secret: string; codes: string[] }> {
  await page.getByLabel('Password', { exact: true }).last().fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'Picture to scan with the app' }).locator('path').waitFor({ state: 'attached' });
  const secret = await page.getByLabel('Key to type into the app').inputValue();
  await picture('two-step-set-up', page);
  await page.getByLabel('Sign-in code').fill('000000');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('This code is wrong or was used.').waitFor();
  await page.getByLabel('Sign-in code').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = (await page.locator('pre').innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  return { secret, codes };
}

/** Gives name and password, which is not yet a sign-in. */
async function giveName({ page }: Person, username: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

inChromium('WEB-770, WEB-771: two-step sign-in is set up, asked for at sign-in, and turned off', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 40[13]|40[13]/);
    const ann = await stage.person('ann');
    const { page } = ann;
    await page.goto(`${stage.world.url}/settings/profile`);
    await page.getByRole('button', { name: 'Set up' }).click();
    const { secret, codes } = await setUp(ann);
    await page.getByText('10 recovery codes left').waitFor();
    await stage.picture('two-step-sign-in', page);

    const other = await stage.browser();
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await giveName(other, 'ann');
    await other.page.getByText('From the app on your phone').waitFor();
    await other.page.getByLabel('Sign-in code').fill('111111');
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.page.getByText('This code is wrong or was used.').waitFor();
    await other.page.getByLabel('Sign-in code').fill(codeOf(secret, 1));
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.chats.waitFor();

    await page.getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Turn off two-step sign-in' });
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByLabel('Sign-in code').fill(codes[0] ?? '');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });
});

inChromium('WEB-772: an owner requires it of admins, who then set it up before they see anything else', async () => {
  await withStage(async (stage) => {
    stage.watch.expect(/status of 40[139]|40[139]/);
    const owner = await personWith(stage, 'owner', 'olga');
    const admin = await personWith(stage, 'admin', 'adam');
    const page = await openAdmin(owner, 'accounts');
    const require = async () => {
      await page.getByLabel('Who needs it').selectOption('admins');
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    };
    await require();
    await page.getByText('First set up two-step sign-in for yourself').waitFor();
    await page.goto(`${stage.world.url}/settings/profile`);
    await page.getByRole('button', { name: 'Set up' }).click();
    await setUp(owner);
    await openAdmin(owner, 'accounts');
    await require();
    await admin.page.getByRole('button', { name: 'Sign in', exact: true }).first().waitFor();
    await giveName(admin, 'adam');
    await admin.page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
    await admin.page.reload();
    await admin.page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor();
    await setUp(admin);
    await admin.chats.waitFor();
  });
});
