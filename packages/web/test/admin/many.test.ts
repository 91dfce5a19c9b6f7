import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3);

inChromium(
  'WEB-723, WEB-727: the list of 10,000 accounts shows a page, and finds one; long and foreign names fit',
  async () => {
    await withStage(async (stage) => {
      const owner = await personWith(stage, 'owner', 'olga', { viewport: { width: 390, height: 780 } });
      await stage.world.sql(`INSERT INTO accounts (username, kind, display_name, search_name, created_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      SELECT 'a' || (100000 + i), 'human', 'Person ' || i, 'person ' || i, 1 FROM n`);
      for (const [username, name] of [
        ['a100001', LONG],
        ['a100002', 'عبد الرحمن بن محمد'],
      ] as const)
        await stage.world.sql('UPDATE accounts SET display_name = $2 WHERE username = $1', username, name);
      const page = await openAdmin(owner, 'accounts');
      const rows = page.getByRole('list', { name: 'Accounts' }).getByRole('button');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(50);
      const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(await isWide()).toBe(false);
      for (const name of [LONG, 'عبد الرحمن بن محمد']) {
        await rows.filter({ hasText: name }).press('Enter');
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Disable' }).press('Enter');
        await page.getByRole('dialog', { name: /^Disable/ }).waitFor();
        expect(await isWide(), name).toBe(false);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: /^Disable/ }).waitFor({ state: 'detached' });
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      await page.getByLabel('Search people by name').fill('person 9876');
      await expect.poll(() => rows.count()).toBe(1);
      await rows.getByText('@a109876').waitFor();
    });
  },
);
