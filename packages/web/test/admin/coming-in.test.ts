import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { openAdmin, personWith } from './setup.ts';

const password = 'correct horse battery staple';

inChromium('WEB-724: a link is made, somebody comes with it and is let in; then it is revoked', async () => {
  await withStage(async (stage) => {
    // Everything but getMe is refused to an account that waits.
    stage.watch.expect(/code: 403|status of 403/);
    const owner = await personWith(stage, 'owner', 'olga');
    const { api } = await owner.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Garden' });
    const page = await openAdmin(owner, 'invites');
    await page.getByText('Nobody is waiting.').waitFor();
    await page.getByRole('button', { name: 'New link' }).click();
    const form = page.getByRole('dialog', { name: 'New invite link' });
    await form.getByLabel('Maximum number of people').fill('3');
    await form.getByRole('switch', { name: 'Needs approval' }).click();
    await form.getByRole('button', { name: 'Garden' }).click();
    await form.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('dialog').getByLabel('Link', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'I’ve saved it' }).click();

    const ben = await stage.browser();
    await ben.page.goto(link);
    await ben.page.reload();
    await ben.page.getByLabel('Your name').fill('Ben');
    await ben.page.getByLabel('Username').fill('ben');
    await ben.page.getByLabel('Password', { exact: true }).fill(password);
    await ben.page.getByRole('button', { name: 'Create account' }).click();
    await ben.page.getByText('Your account waits for approval').waitFor();

    await openAdmin(owner, 'invites');
    await page.getByRole('list', { name: 'Waiting for approval' }).getByRole('button', { name: '@ben' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Nobody is waiting.').waitFor();
    await ben.chats.waitFor({ timeout: 15_000 });
    await ben.chat('Garden').waitFor();
    expect((await api.getMembers({ chat_id })).items).toHaveLength(2);

    await page.getByRole('list', { name: 'Invite links' }).getByRole('button', { name: '1 of 3 joined' }).click();
    await page.getByRole('dialog').getByText('@olga').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('There are no links.').waitFor();
    expect((await api.getServiceInvites({})).items).toEqual([]);

    await page.getByRole('switch', { name: 'All members may invite' }).click();
    await expect.poll(async () => (await api.getServiceSettings({})).who_invites).toBe('admins');
  });
});

inChromium(
  'a group of people is made, changed and deleted, and public groups become those of new members',
  async () => {
    await withStage(async (stage) => {
      const owner = await personWith(stage, 'owner', 'olga');
      const { api } = await owner.actor();
      await stage.world.member('ben');
      const { id } = await api.startChat({ usernames: [], title: 'News', visibility: 'public' });
      const page = await openAdmin(owner, 'groups');
      await page.getByRole('button', { name: 'New group' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('ben');
      await dialog.getByLabel('Title').fill('Help desk');
      await dialog.getByRole('combobox').fill('ben');
      await dialog.getByRole('option').first().click();
      await dialog.getByRole('button', { name: 'Create group' }).click();
      await dialog.getByText('This name is taken by an account or a group.').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill('@support');
      await dialog.getByRole('button', { name: 'Create group' }).click();
      const row = page.getByRole('list', { name: 'Groups of people' }).getByRole('button', { name: 'Help desk' });
      await row.getByText('@support · 1 person').waitFor();
      await row.click();
      await dialog.getByLabel('Title').fill('Desk');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('list', { name: 'Groups of people' }).getByRole('button', { name: 'Desk' }).click();
      expect((await api.getUserGroups({})).items).toEqual([{ name: 'support', title: 'Desk', usernames: ['ben'] }]);
      await dialog.getByRole('button', { name: 'Delete group' }).click();
      await page.getByRole('dialog', { name: 'Delete Desk?' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByText('There are no groups of people yet.').waitFor();

      await page.getByRole('list', { name: 'Groups of new members' }).getByRole('button', { name: 'News' }).click();
      await page.getByText('Saved').waitFor();
      const newcomer = await stage.person('nina');
      await newcomer.chat('News').waitFor();
      expect((await api.getMembers({ chat_id: id })).items.map(({ username }) => username)).toContain('nina');
    });
  },
);
