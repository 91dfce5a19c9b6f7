import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'a message of somebody else is reported to the moderators with a reason, and its sender sees nothing of it',
  async () => {
    await withStage(async (stage) => {
      const [ann, ben] = [await stage.person('ann'), await stage.person('ben')];
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'ben' });
      await (await ben.actor()).api.sendMessage({ chat_id, text: 'an ugly word' });
      await ann.open(chat_id);
      const { page } = ann;
      await ann.choose(ann.message('an ugly word'), 'Report …');
      const dialog = page.getByRole('dialog', { name: 'Report this message?' });
      await dialog.getByLabel('What is wrong with it?').fill('It is ugly');
      expect(await findings(page)).toEqual([]);
      await stage.picture('report', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 780 });
      await stage.picture('report-phone-dark', page);
      await dialog.getByRole('button', { name: 'Report', exact: true }).click();
      await page.getByText('Reported.').waitFor();
      expect(await dialog.count()).toBe(0);
      const stored = await stage.world.sql('SELECT reason FROM reporters');
      expect(stored).toEqual([{ reason: 'It is ugly' }]);
      await ben.open(chat_id);
      await ben.message('an ugly word').hover();
      await ben.message('an ugly word').getByRole('button', { name: 'More' }).click();
      await ben.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
      expect(await ben.page.getByRole('menuitem', { name: 'Report …' }).count()).toBe(0);
    });
  },
);
