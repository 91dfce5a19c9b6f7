import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

inChromium('WEB-726: an owner filters the audit, loads more of it, and exports all that the filter finds', async () => {
  await withStage(async (stage) => {
    const owner = await personWith(stage, 'owner', 'olga');
    const { api } = await owner.actor();
    await stage.world.member('ben');
    for (let at = 0; at < 60; at += 1) await api.setAccountDisabled({ username: 'ben', disabled: at % 2 === 0 });
    await api.setAccountRole({ username: 'ben', role: 'moderator' });
    const page = await openAdmin(owner, 'audit');
    const rows = page.getByRole('list', { name: 'Audit' }).getByRole('listitem');
    await rows.first().getByText('role: moderator').waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByLabel('Action', { exact: true }).fill('setAccountDisabled');
    await expect.poll(() => rows.first().innerText()).toContain('disabled: false');
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows.count()).toBe(60);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    await stage.world.sql("UPDATE audit SET target = '=1+1' WHERE action = 'setAccountRole'");
    await page.getByLabel('Action', { exact: true }).fill('');
    await page.getByLabel('Who did it').fill('@olga');
    await expect.poll(() => rows.first().innerText()).toContain('=1+1');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    const lines = (await text(await saved.createReadStream())).trim().split('\r\n');
    expect(lines[0]).toMatch(/^\uFEFF?"at","actor","action","target","details","address"$/);
    expect(lines[1]).toContain(`"olga","setAccountRole","'=1+1","{""role"":""moderator""}"`);
    // Its sign-up, 60 changes, and the role.
    expect(lines).toHaveLength(63);
    await page.getByText('62 rows').waitFor();

    await page.getByLabel('Who did it').fill('nobody');
    await page.getByText('Nothing matches.').waitFor();
  });
});
