import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

const tabs = async (page: Page) =>
  page.getByRole('navigation', { name: 'Administration' }).getByRole('link').allInnerTexts();

inChromium('WEB-720: the menu leads owners to the administration, and each role to its own pages', async () => {
  await withStage(async (stage) => {
    const owner = await stage.person('olga');
    await owner.page.getByRole('button', { name: 'Menu', exact: true }).click();
    await owner.page.getByRole('menuitem', { name: 'Administration' }).click();
    await owner.page.getByText('Feature level').waitFor();
    expect(new URL(owner.page.url()).pathname).toBe('/admin/overview');
    expect(await tabs(owner.page)).toEqual(['Overview', 'Accounts', 'Invitations', 'Groups', 'Reports', 'Audit']);
    await owner.page.getByText('Nodes alive').waitFor();

    const moderator = await personWith(stage, 'moderator', 'mo');
    const page = await openAdmin(moderator, '');
    expect(await tabs(page)).toEqual(['Overview', 'Accounts', 'Invitations', 'Reports']);
    expect(await page.getByText('Nodes alive').count()).toBe(0);
    await page.goto(`${stage.world.url}/admin/audit`);
    await page.getByText('This page does not exist').waitFor();
  });
});

inChromium('WEB-720: members have no administration, and its addresses do not exist for them', async () => {
  await withStage(async (stage) => {
    await stage.world.member('olga');
    const { page } = await stage.person('mia');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0);
    for (const path of ['/admin', '/admin/accounts', '/admin/audit']) {
      await page.goto(stage.world.url + path);
      await page.getByText('This page does not exist').waitFor();
    }
    // Whoever is made a moderator is offered it from the next visit on.
    await stage.world.sql("UPDATE accounts SET role = 'moderator' WHERE username = 'mia'");
    await page.goto(stage.world.url);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('parley.runs-service'))).toBe('1');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Administration' }).waitFor();
  });
});
