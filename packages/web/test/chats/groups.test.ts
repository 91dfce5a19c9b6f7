import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'accounts that the service would refuse cannot be picked for a group; agents are listed separately',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const bob = await stage.world.member('bob');
      const helper = await stage.world.bot(bob, 'helper');
      await bob.api.setBotConfig({ username: helper.username, is_public: true });
      await bob.api.sendMessage({ chat_id: (await bob.api.startChat({ username: 'ann' })).id, text: 'hello' });
      await ann.chat('bob').waitFor();
      await ann.page.getByRole('button', { name: 'New conversation' }).click();
      const dialog = ann.page.getByRole('dialog');
      const option = (name: string) => dialog.getByRole('option').filter({ hasText: `@${name}` });
      const list = (name: string) => dialog.getByRole('group', { name, exact: true });
      await list('Agents').getByText('@ann:provider_a').waitFor();
      await list('People').getByText('@bob').waitFor();
      await list('Agents').getByText('@parley:guide').waitFor();
      expect(await list('People').getByText('agent').count()).toBe(0);

      // Another owner's agent can only be picked alone.
      await option('parley:guide').click();
      expect(await dialog.getByRole('button', { name: 'Make a group' }).count()).toBe(0);
      await dialog.getByText('Only its owner can add Parley guide to a group.').waitFor();
      expect(await option('bob').getAttribute('aria-disabled')).toBe('true');
      await dialog.getByRole('button', { name: /^Remove / }).click();

      // Once a person is picked, another owner's agent is disabled and says why; own agents are not.
      await option('bob').click();
      await stage.picture('new-group-refused', ann.page);
      expect(await option('parley:guide').getAttribute('aria-disabled')).toBe('true');
      expect(await option('parley:guide').innerText()).toContain('Only its owner can add it to groups');
      const search = dialog.getByRole('combobox');
      await search.fill(helper.username);
      await option(helper.username).and(dialog.locator('[aria-disabled=true]')).waitFor();
      await search.press('Enter');
      expect(await dialog.getByRole('button', { name: /^Remove / }).count()).toBe(1);
      await search.fill('');
      await option('ann:provider_a').click();
      await dialog.getByLabel('Group name').fill('Three of us');
      await dialog.getByRole('button', { name: 'Create group' }).click();
      await ann.page.getByText('2 people, 1 agent').first().waitFor();
    });
  },
);

inChromium(
  'WEB-17: opening an invite asks before joining; the group then appears in the list of all tabs',
  async () => {
    await withStage(async (stage) => {
      const bob = await stage.world.member('bob');
      const { id: chat_id } = await bob.api.startChat({ usernames: [], title: 'Garden' });
      await bob.api.sendMessage({ chat_id, text: 'Who waters on Monday?' });
      const { token } = await bob.api.createInvite({ chat_id });
      const ann = await stage.person('ann');
      const { api } = await ann.actor();
      // The invite's group is older than all of ann's groups. Titles end with a dot, because a row's text continues
      // with the time.
      for (let at = 0; at < 20; at += 1) await api.startChat({ usernames: [], title: `Group ${at}.` });
      await ann.chat('Group 19.').waitFor();
      const other = await ann.tab();
      await ann.page.goto(`${stage.world.url}/join/${token}`);
      await ann.page.getByRole('heading', { name: 'You’re invited to a group' }).waitFor();
      await ann.page.getByRole('main').getByText('@ann').waitFor();
      await stage.picture('join', ann.page);
      expect((await bob.api.getChat({ chat_id })).participant_count).toBe(1);
      await ann.page.getByRole('button', { name: 'Join the group' }).click();
      await ann.message('Who waters on Monday?').waitFor();
      await expect
        .poll(async () =>
          ann.chat('Garden').evaluate((row) => {
            const { top, bottom } = row.getBoundingClientRect();
            return top >= 0 && bottom <= innerHeight;
          }),
        )
        .toBe(true);
      await other.chat('Garden').waitFor();

      // An expired invite says so and leads to the start page.
      stage.watch.expect(/404/);
      await ann.page.goto(`${stage.world.url}/join/i_${'x'.repeat(43)}`);
      await ann.page.getByRole('heading', { name: 'This invite no longer works' }).waitFor();
      await ann.page.getByRole('button', { name: 'Go to the start' }).click();
      await expect.poll(() => new URL(ann.page.url()).pathname).toBe('/');
    });
  },
);

inChromium('a group shows the numbers of people and agents, even if it is large', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const names = await Promise.all(Array.from({ length: 54 }, async () => (await stage.world.member()).username));
    const { id: chat_id } = await api.startChat({ usernames: names, title: 'Club' });
    await api.addGroupAgent({ chat_id, agent_username: 'ann:provider_a' });
    // Its account is the newest, so it is not among the 50 participants that the app loads.
    await api.createWebhook({ chat_id });
    await ann.open(chat_id);
    await ann.page.getByRole('heading', { name: 'Club 55 people, 1 agent' }).waitFor();
    await ann.page.getByRole('button', { name: 'Details', exact: true }).click();
    await ann.page.getByRole('heading', { name: 'People (55)' }).waitFor();
    await ann.page.getByRole('heading', { name: 'Agents (1)' }).waitFor();
    await api.removeMember({ chat_id, username: names[0] ?? '' });
    await ann.page.getByRole('heading', { name: 'People (54)' }).waitFor();
  });
});

inChromium(
  'WEB-11: the form for a new channel scrolls into view, and the focus moves to the created channel',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', { viewport: { width: 1_200, height: 600 } });
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ usernames: [], title: 'Club' });
      for (let at = 0; at < 12; at += 1) await api.createChannel({ chat_id, title: `place ${at}` });
      await ann.open(chat_id);
      const { page } = ann;
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      const details = page.getByRole('complementary', { name: 'Details' });
      const channels = details.getByRole('region', { name: 'Channels' });
      await channels.getByRole('button', { name: 'New channel' }).click();
      const isInView = (name: string) =>
        details.getByRole('button', { name, exact: true }).evaluate((one) => {
          const { top, bottom } = one.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
      await expect.poll(() => isInView('Create channel')).toBe(true);
      await page.keyboard.type('harvest');
      await page.keyboard.press('Enter');
      const made = channels.getByRole('button', { name: 'harvest', exact: true });
      await made.waitFor();
      await expect.poll(() => made.evaluate((one) => one === document.activeElement)).toBe(true);
      expect(await isInView('harvest')).toBe(true);
      await page.keyboard.press('Enter');
      await expect.poll(() => page.url()).toContain('/channel/');
    });
  },
);

inChromium('a group’s picture is shown wherever its initials would be; owner and admins change it', async () => {
  await withStage(async (stage) => {
    const [ann, bob] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Garden' });
    const { token } = await api.createInvite({ chat_id });
    await Promise.all([ann.open(chat_id), bob.open(chat_id)]);
    const pictures = (page: typeof ann.page) => page.locator('img[src^="/avatars/"]');
    const details = async (page: typeof ann.page) => page.getByRole('button', { name: 'Details', exact: true }).click();
    await Promise.all([details(ann.page), details(bob.page)]);
    expect(await bob.page.getByRole('button', { name: 'Edit group' }).count()).toBe(0);
    await ann.page.getByRole('button', { name: 'Edit group' }).click();
    await ann.page.getByLabel('Picture', { exact: true }).setInputFiles(smallPhoto('garden.png'));
    await ann.page.getByRole('button', { name: 'Change picture' }).waitFor();
    expect(await findings(ann.page)).toEqual([]);
    await stage.picture('group-picture-form', ann.page);
    // The list, the header, the group's beginning and the details.
    await expect.poll(async () => pictures(bob.page).count()).toBe(4);
    await stage.picture('group-picture', bob.page);
    await bob.page.keyboard.press('Control+k');
    await bob.page.getByRole('combobox').fill('Garden');
    await bob.page.getByRole('dialog').locator('img[src^="/avatars/"]').first().waitFor();
    await bob.page.keyboard.press('Escape');
    const guest = await stage.browser();
    await guest.page.goto(`${stage.world.url}/join/${token}`);
    await pictures(guest.page).waitFor();
    await stage.picture('group-picture-invite', guest.page);
    await ann.page.setViewportSize({ width: 390, height: 780 });
    await ann.page.emulateMedia({ colorScheme: 'dark' });
    await stage.picture('group-picture-phone-dark', ann.page);
    await ann.page.setViewportSize({ width: 1_200, height: 800 });
    await ann.page.getByRole('button', { name: 'Edit group' }).click();
    await ann.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(async () => pictures(bob.page).count()).toBe(0);
  });
});
