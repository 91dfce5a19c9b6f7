import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'a public group where managers write is made, found, joined and read; its settings change for all',
  async () => {
    await withStage(async (stage) => {
      const [ann, bob] = [await stage.person('ann'), await stage.person('bob')];
      await ann.page.getByRole('button', { name: 'New conversation' }).click();
      const dialog = ann.page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Make a group' }).click();
      await dialog.getByLabel('Group name').fill('Announcements');
      await dialog.getByRole('switch', { name: 'Public group' }).click();
      await dialog.getByRole('switch', { name: 'Only owner and admins write' }).click();
      expect(await findings(ann.page)).toEqual([]);
      await stage.picture('new-public-group', ann.page);
      await dialog.getByRole('button', { name: 'Create group' }).click();
      await ann.page.getByRole('heading', { name: /^Announcements/ }).waitFor();
      await ann.say('Welcome to all');

      await bob.page.getByRole('button', { name: 'New conversation' }).click();
      await bob.page.getByRole('dialog').getByRole('button', { name: 'Browse groups' }).click();
      await bob.page.getByRole('heading', { name: 'Browse groups' }).waitFor();
      const groups = bob.page.getByRole('list', { name: 'Public groups' });
      await groups.getByText('Announcements').waitFor();
      expect(await findings(bob.page)).toEqual([]);
      await stage.picture('browse', bob.page);
      await bob.page.getByLabel('Search groups').fill('pets');
      await bob.page.getByText('No public group matches “pets”.').waitFor();
      await bob.page.getByLabel('Search groups').fill('ann');
      await groups.getByRole('button', { name: 'Join Announcements' }).click();
      await bob.message('Welcome to all').waitFor();
      await bob.page.getByText('Only the owner and admins write here.').waitFor();
      expect(await bob.composer.count()).toBe(0);
      await stage.picture('managers-only', bob.page);

      await ann.page.getByRole('button', { name: 'Details', exact: true }).click();
      await ann.page.getByText('Public group: everyone can find it and join.').waitFor();
      await ann.page.getByRole('button', { name: 'Edit group' }).click();
      await ann.page.getByRole('switch', { name: 'Only owner and admins write' }).click();
      await ann.page.getByRole('button', { name: 'Save' }).click();
      await bob.composer.waitFor();
      await bob.say('Thanks');
      await ann.message('Thanks').waitFor();
    });
  },
);

inChromium('the composer offers @all and groups of people, and asks before it notifies many', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    await stage.world.sql(`UPDATE accounts SET role = 'admin' WHERE username = 'ann'`);
    const names: string[] = [];
    for (let at = 0; at < 6; at += 1) names.push((await stage.world.member()).username);
    const { api } = await ann.actor();
    await api.createUserGroup({ name: 'support', title: 'Help desk', usernames: names.slice(0, 2) });
    const { id: chat_id } = await api.startChat({ usernames: names, title: 'Club' });
    await ann.open(chat_id);
    const options = ann.page.getByRole('listbox', { name: 'People and agents' });
    await ann.composer.fill('@hel');
    await options.getByText('Help desk').click();
    await expect.poll(() => ann.composer.inputValue()).toBe('@support ');
    await ann.composer.press('Enter');
    await ann.message('@support').waitFor();

    await ann.composer.fill('hear @al');
    await options.getByText('Everyone in this group').waitFor();
    await stage.picture('mention-all', ann.page);
    await ann.composer.press('Enter');
    await ann.composer.press('Enter');
    const ask = ann.page.getByRole('dialog', { name: 'Mention everyone?' });
    await ask.getByText('Your message can notify 7 people.').waitFor();
    await ask.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => ann.composer.inputValue()).toBe('hear @all ');
    await ann.composer.press('Enter');
    await ask.getByRole('button', { name: 'Send' }).click();
    await ann.message('hear @all').waitFor();
    const mentioned = async () => (await api.getChatHistory({ chat_id })).items.map(({ mentions }) => mentions.length);
    await expect.poll(mentioned).toEqual([2, 7]);
    await stage.picture('mentioned-all', ann.page);
  });
});

inChromium('the page of public groups fits a phone, in the dark and from right to left', async () => {
  await withStage(async (stage) => {
    const maker = await stage.world.member('maker');
    for (const title of ['Garden', 'Everything about the trains of this country and of others']) {
      const { id: chat_id } = await maker.api.startChat({ usernames: [], title, visibility: 'public' });
      await maker.api.setChatDescription({
        chat_id,
        description: 'What this is about, in a few words. '.repeat(6).trim(),
      });
      await maker.api.sendMessage({ chat_id, text: 'hello' });
    }
    const phone = {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    } as const;
    for (const locale of ['en', 'ar']) {
      const person = await stage.person(`reader_${locale}`, { ...phone, locale });
      await person.page.goto(`${stage.world.url}/browse`);
      await person.page.getByText('Garden').waitFor();
      const isWide = await person.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(isWide).toBe(false);
      expect(await findings(person.page)).toEqual([]);
      await stage.picture(`browse-phone-${locale}`, person.page);
    }
  });
});
