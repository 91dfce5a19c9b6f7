import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium(
  'WEB-700, WEB-701: the details of a direct chat list what the agent remembers, to add, edit and delete',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann', phone);
      const { page } = ann;
      const { api } = await ann.actor();
      const agent_username = 'ann:provider_a';
      const { id: chat_id } = await api.startChat({ username: agent_username });
      await ann.open(chat_id);
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('button', { name: 'What it remembers' }).click();
      const dialog = page.getByRole('dialog', { name: /^What .* remembers$/u });
      await dialog.getByText('It remembers nothing yet.').waitFor();
      await dialog.getByText('Its owner has not let this agent remember things.').waitFor();
      await api.updateAgent({ username: agent_username, built_in_tools: ['remember'] });
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'What it remembers' }).click();
      await dialog.getByLabel('Something to remember').fill('likes tea\nand cats');
      await dialog.getByRole('button', { name: 'Add' }).click();
      await dialog.getByRole('listitem').filter({ hasText: 'likes tea' }).waitFor();
      expect(await dialog.getByLabel('Something to remember').inputValue()).toBe('');
      await dialog.getByRole('button', { name: 'Edit' }).click();
      await dialog.getByLabel('Note').fill('likes coffee');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('likes coffee').waitFor();
      await dialog.getByText(/edited by/u).waitFor();
      await api.createNote({ chat_id, agent_username, text: 'from another device' });
      await dialog.getByText('from another device').waitFor();
      expect(await findings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await stage.picture('notes-phone', page);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findings(page, ['color-contrast'])).toEqual([]);
      await stage.picture('notes-dark', page);
      await dialog.getByRole('listitem').filter({ hasText: 'coffee' }).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog', { name: 'Delete this note?' }).getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('likes coffee').waitFor({ state: 'detached' });
      expect((await api.getNotes({ chat_id, agent_username })).items).toMatchObject([{ text: 'from another device' }]);
    });
  },
);

inChromium(
  'WEB-702: in a group the agent’s menu lists what it remembers, and a member deletes only what it wrote',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const bob = await stage.person('bob', { ...phone, locale: 'ar' });
      const { api } = await ann.actor();
      const agent_username = 'ann:provider_a';
      await api.updateAgent({ username: agent_username, built_in_tools: ['remember'] });
      const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Class' });
      await api.addGroupAgent({ chat_id, agent_username });
      const { api: his } = await bob.actor();
      await api.createNote({ chat_id, agent_username, text: 'by ann' });
      await his.createNote({ chat_id, agent_username, text: 'by bob' });
      await bob.open(chat_id);
      const { page } = bob;
      await page.getByRole('button', { name: 'التفاصيل' }).click();
      const row = page.getByRole('listitem').filter({ hasText: '@ann:provider_a' });
      await row.getByRole('button').last().click();
      await page.getByRole('menuitem', { name: 'ما يتذكره' }).click();
      const notes = page.getByRole('dialog', { name: /ما يتذكره/u }).getByRole('listitem');
      await notes.filter({ hasText: 'by bob' }).waitFor();
      await stage.picture('notes-arabic', page);
      expect(await notes.filter({ hasText: 'by bob' }).getByRole('button').count()).toBe(2);
      expect(await notes.filter({ hasText: 'by ann' }).getByRole('button').count()).toBe(1);
    });
  },
);
