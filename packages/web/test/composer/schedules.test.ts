import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'a text is repeated; the list runs, pauses and deletes it, and its messages say where they come from',
  async () => {
    await withStage(async (stage) => {
      const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'bob' });
      await ann.open(chat_id);
      const { page } = ann;
      await ann.composer.fill('What is on today?');
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByRole('button', { name: 'Repeat …' }).click();
      const dialog = page.getByRole('dialog', { name: 'Repeat' });
      await dialog.getByText('Next: ').waitFor();
      await dialog.getByLabel('Friday').uncheck();
      await dialog.getByLabel('Time of day').fill('08:30');
      await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
      await dialog.getByText('Next: ').waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('repeat', page);
      await page.setViewportSize({ width: 390, height: 780 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await stage.picture('repeat-phone-dark', page);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1_200, height: 800 });
      await dialog.getByLabel('How often').selectOption('Every month');
      await dialog.getByLabel('Day of the month').fill('31');
      await dialog.getByText('Next: ').waitFor();
      await dialog.getByLabel('How often').selectOption('On days of the week');
      await dialog.getByRole('button', { name: 'Repeat' }).click();
      await page.getByText('You find it in the details of this conversation.').waitFor();
      expect(await ann.composer.inputValue()).toBe('');
      const { items } = await api.getSchedules({});
      expect(items).toMatchObject([
        {
          chat_id,
          text: 'What is on today?',
          when: { every: 'week', days: [1, 2, 3, 4], at: '08:30', zone: 'Europe/Berlin' },
          state: 'active',
        },
      ]);
      await expect.poll(async () => (await api.getDrafts({})).items).toEqual([]);

      await page.getByRole('button', { name: 'Details', exact: true }).click();
      const list = page.getByRole('region', { name: 'Scheduled' });
      await list.getByText('Monday, Tuesday, Wednesday, and Thursday at 8:30').waitFor();
      await list.getByText('Next: ').waitFor();
      await list.getByRole('button', { name: 'Send now' }).click();
      await ann.message('What is on today?').getByText('Sent on a schedule').waitFor();
      await list.getByText('Last sent: ').waitFor();
      await list.getByRole('button', { name: 'Pause' }).click();
      await list.getByText('Paused').waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('schedule', page);
      await list.getByRole('button', { name: 'Go on' }).click();
      await list.getByText('Next: ').waitFor();
      await list.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete this schedule?' }).getByRole('button', { name: 'Delete' }).click();
      await list.waitFor({ state: 'detached' });
      expect((await api.getSchedules({})).items).toEqual([]);
    });
  },
);

inChromium('the list of all conversations shows a schedule that was paused, and why', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    const { page } = ann;
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    const at = new Date(Date.now() + 2_000).toISOString();
    await api.createSchedule({ chat_id, text: 'to bob', when: { at } });
    await bob.api.blockUser({ username: 'ann' });
    await page.getByText('A schedule was paused').waitFor();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('menuitem', { name: 'Scheduled' }).click();
    const item = page.getByRole('dialog', { name: 'Scheduled' }).getByRole('listitem').filter({ hasText: 'to bob' });
    await item.getByText('Paused').waitFor();
    await item.getByText('Not sent').waitFor();
    expect(await findings(page)).toEqual([]);
    await bob.api.unblockUser({ username: 'ann' });
    await item.getByRole('button', { name: 'Send now' }).click();
    await item.getByText('Last sent: ').waitFor();
    await item.getByRole('button', { name: 'Go on' }).click();
    await item.getByText('Ended').waitFor();
  });
});
