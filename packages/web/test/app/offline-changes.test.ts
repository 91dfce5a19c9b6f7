import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import { goOffline, keptBuild } from '../setup/offline.ts';
import { withServiceWorker, withStage } from '../setup/stage.ts';

inChromium(
  'WEB-580, WEB-582, WEB-583: edits and deletions wait without a network, also over a reload, and search finds what the device has',
  async () => {
    await withStage(async (stage) => {
      await using front = await Front.of(stage.world.url);
      const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
      await ann.open(chat_id);
      for (const text of ['the harbour', 'a mistake', 'to be deleted']) await ann.say(text);
      await keptBuild(page);
      const agents = page.getByRole('region', { name: 'Agents' });
      await agents.waitFor();

      await goOffline(stage, front, ann);
      await page.getByRole('status').getByText('You’re offline.').waitFor();
      await ann.choose(ann.message('a mistake'), 'Edit');
      await ann.composer.fill('a correction');
      await ann.composer.press('Enter');
      await ann.message('a correction').getByRole('img', { name: 'Sending' }).waitFor();
      await ann.choose(ann.message('to be deleted'), 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await ann.message('to be deleted').waitFor({ state: 'detached' });
      expect((await api.getChatHistory({ chat_id })).items.map(({ content }) => content)).toContain('a mistake');

      await page.reload();
      await ann.message('a correction').getByRole('img', { name: 'Sending' }).waitFor();
      expect(await ann.message('to be deleted').count()).toBe(0);
      await agents.getByText('Waiting for the connection …').first().waitFor();
      await stage.picture('offline-changes', page);

      await page.keyboard.press('Control+k');
      await page.getByText('Without a connection: what this device has').waitFor();
      await page.getByRole('combobox', { name: 'Search' }).fill('harb');
      await page.getByRole('group', { name: 'Messages' }).getByRole('option', { name: 'the harbour' }).waitFor();
      expect(await page.getByRole('dialog').getByRole('alert').allInnerTexts()).toEqual([]);
      await stage.picture('offline-search', page);
      await page.keyboard.press('Escape');

      front.heal();
      await ann.context.setOffline(false);
      await ann.message('a correction').getByRole('img', { name: 'Sending' }).waitFor({ state: 'detached' });
      await expect
        .poll(async () => (await api.getChatHistory({ chat_id })).items.map(({ content }) => content).filter(Boolean))
        .toEqual(expect.not.arrayContaining(['a mistake', 'to be deleted']));
      await ann.message('a correction').waitFor();
    });
  },
);

inChromium('WEB-581: an edit that the service refuses later is taken back, and a toast says why', async () => {
  await withStage(async (stage) => {
    await using front = await Front.of(stage.world.url);
    const ann = await stage.person('ann', { url: front.url, ...withServiceWorker });
    const { page } = ann;
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id } = await api.sendMessage({ chat_id, text: 'first words' });
    await ann.open(chat_id);
    await ann.message('first words').waitFor();
    await keptBuild(page);
    await goOffline(stage, front, ann);
    await page.getByRole('status').getByText('You’re offline.').waitFor();
    await ann.choose(ann.message('first words'), 'Edit');
    await ann.composer.fill('other words');
    await ann.composer.press('Enter');
    await ann.message('other words').waitFor();
    await bob.api.deleteMessages({ message_ids: [id] });
    front.heal();
    await ann.context.setOffline(false);
    await page.getByText('Your edit was not made').waitFor();
    expect(await ann.message('other words').count()).toBe(0);
  });
});

inChromium(
  'WEB-584: the palette finds settings by what is on their pages, help, and one change of the theme',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const { page } = ann;
      const search = page.getByRole('combobox', { name: 'Search' });
      const options = async (group: string, typed: string) => {
        await search.fill(typed);
        await page.getByRole('group', { name: group }).waitFor();
        return page.getByRole('group', { name: group }).getByRole('option').allInnerTexts();
      };
      await page.keyboard.press('Control+k');
      expect(await options('Settings', 'language')).toEqual(['Appearance']);
      expect(await options('Settings', 'password')).toEqual(['Profile']);
      expect(await options('Help', 'manual')).toEqual(['Guide']);
      expect(await options('Actions', 'dark mode')).toEqual(['Turn on dark mode']);
      await stage.picture('palette-settings', page);
      await options('Settings', 'font size');
      await page.getByRole('option', { name: 'Appearance' }).click();
      await page.getByRole('heading', { name: 'Appearance' }).waitFor();
    });
  },
);
