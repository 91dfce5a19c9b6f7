import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { act, filterOf, titles, withGroups } from '../setup/chat-list.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { withStage } from '../setup/stage.ts';

const openFolders = ({ page }: Person): Promise<void> => page.getByRole('button', { name: 'Folders' }).click();
const closed = ({ page }: Person): Promise<void> => page.getByRole('dialog').waitFor({ state: 'detached' });
const save = async (person: Person): Promise<void> => {
  await person.page.getByRole('button', { name: 'Save' }).click();
};

inChromium(
  'folders are created, filled, renamed, ordered and deleted, on both devices',
  { timeout: 120_000 },
  async () => {
    await withStage(async (stage) => {
      const { ann } = await withGroups(stage, { colorScheme: 'dark' });
      const { page } = ann;
      const other = await ann.tab();
      await act(ann, 'Two', 'Move to folder', 'New folder');
      await page.getByLabel('Folder name').fill('Work');
      await page.keyboard.press('Enter');
      await closed(ann);
      await act(ann, 'One', 'Move to folder', 'Work');
      for (const tab of [ann, other]) {
        await filterOf(tab, 'Work', 2).click();
        await expect.poll(async () => titles(tab)).toEqual(['One', 'Two']);
      }
      await act(ann, 'One', 'Move to folder', 'No folder');
      await expect.poll(async () => titles(other)).toEqual(['Two']);
      await act(ann, 'Two', 'Mark as read');
      await filterOf(other, 'Work').waitFor();

      await openFolders(ann);
      await page.getByRole('button', { name: 'New folder' }).click();
      await page.getByLabel('Folder name').fill('Home');
      await save(ann);
      await page.getByRole('dialog', { name: 'Folders' }).getByRole('button', { name: /^Work/ }).click();
      await page.getByLabel('Folder name').fill('Office');
      await save(ann);
      await page.getByRole('button', { name: 'Move folder 2 up' }).click();
      await stage.picture('list-folders', page);
      expect(await findings(page)).toEqual([]);
      await save(ann);
      await closed(ann);
      await filterOf(other, 'Home').click();
      await other.page.getByText('This folder is empty.').waitFor();
      await filterOf(other, 'Home').press('ArrowRight');
      await other.page.keyboard.press('Enter');
      await expect.poll(async () => titles(other)).toEqual(['Two']);
      expect(await filterOf(other, 'Office').getAttribute('aria-pressed')).toBe('true');

      await openFolders(ann);
      await page.getByRole('button', { name: 'Delete folder 2' }).click();
      await save(ann);
      await filterOf(other, 'Office').waitFor({ state: 'detached' });
      await expect.poll(async () => titles(other)).toContain('One');
      expect(await filterOf(other, 'All').getAttribute('aria-pressed')).toBe('true');
    });
  },
);

inChromium(
  'a folder that follows a rule shows new groups at once, but not those that it leaves out',
  { timeout: 120_000 },
  async () => {
    await withStage(async (stage) => {
      const { ann, bob, ids } = await withGroups(stage);
      const { page } = ann;
      const other = await ann.tab();
      await openFolders(ann);
      const form = page.getByRole('dialog', { name: 'New folder' });
      await form.getByLabel('Folder name').fill('Teams');
      const count = form.getByRole('status');
      await expect.poll(async () => count.textContent()).toBe('0 conversations');
      await form.getByRole('switch', { name: 'Groups' }).click();
      await expect.poll(async () => count.textContent()).toBe('3 conversations');
      const never = form.getByRole('region', { name: 'Never in the folder' });
      await never.getByRole('button', { name: 'Add a conversation' }).click();
      await never.getByLabel('Find a conversation').fill('thr');
      await never.getByRole('button', { name: 'Add Three' }).click();
      await form.getByRole('region', { name: 'In the folder now' }).getByText('Two').waitFor();
      await expect.poll(async () => count.textContent()).toBe('2 conversations');
      const always = form.getByRole('region', { name: 'Always in the folder' });
      await always.getByRole('button', { name: 'Add a conversation' }).click();
      await always.getByLabel('Find a conversation').fill('guide');
      await always.getByRole('button', { name: /^Add Parley guide/ }).click();
      await expect.poll(async () => count.textContent()).toBe('3 conversations');
      await stage.picture('folder-form', page);
      expect(await findings(page)).toEqual([]);
      await save(ann);
      await closed(ann);

      for (const tab of [ann, other]) {
        await filterOf(tab, 'Teams', 2).click();
        await expect.poll(async () => titles(tab)).toEqual(['One', 'Two', 'Parley guide · parley']);
      }
      const { id } = await bob.api.startChat({ usernames: ['ann'], title: 'Four' });
      await bob.api.sendMessage({ chat_id: id, text: 'hello from Four' });
      for (const tab of [ann, other])
        await expect.poll(async () => titles(tab)).toEqual(['Four', 'One', 'Two', 'Parley guide · parley']);
      await filterOf(other, 'Teams', 3).waitFor();
      await stage.picture('folder-list', page);

      await act(ann, 'Two', 'Leave out of “Teams”');
      await act(ann, 'Parley guide', 'Leave out of “Teams”');
      await expect.poll(async () => titles(other)).toEqual(['Four', 'One']);
      // Alt with an arrow moves within the folder.
      await ann.open(ids['One'] ?? '');
      await filterOf(ann, 'Teams', 1).click();
      await page.keyboard.press('Alt+ArrowDown');
      await page.keyboard.press('Alt+ArrowUp');
      await page.getByRole('heading', { name: 'Four' }).waitFor();
      await filterOf(ann, 'All').click();

      // The palette leads to the folder too.
      await page.keyboard.press('Control+k');
      await page.keyboard.type('teams');
      await page.getByRole('option', { name: 'Folder “Teams”' }).click();
      await expect.poll(async () => titles(ann)).toEqual(['Four', 'One']);

      await openFolders(ann);
      await page
        .getByRole('dialog', { name: 'Folders' })
        .getByRole('button', { name: /^Teams/ })
        .click();
      const edit = page.getByRole('dialog', { name: 'Edit folder' });
      await edit.getByRole('switch', { name: 'Unread' }).click();
      await edit.getByRole('button', { name: 'Remove Three' }).click();
      await save(ann);
      await page.getByRole('dialog', { name: 'Folders' }).getByRole('button', { name: 'Save' }).click();
      await closed(ann);
      // The open conversation stays while it is read.
      await expect.poll(async () => titles(ann)).toEqual(['Four', 'Three']);
      await expect.poll(async () => titles(other)).toEqual(['Three']);
      await act(other, 'Three', 'Mark as read');
      await other.page.getByText('No conversation belongs in this folder at the moment.').waitFor();
      await other.page.getByRole('button', { name: 'Edit folder' }).click();
      const otherForm = other.page.getByRole('dialog', { name: 'Edit folder' });
      await otherForm.getByLabel('Folder name').fill('Groups');
      // The form stays, with what was typed, when the list below it is no longer empty.
      await bob.api.sendMessage({ chat_id: ids['Three'] ?? '', text: 'once more' });
      await other.page.locator('[data-chat]').filter({ hasText: 'once more' }).waitFor();
      expect(await otherForm.getByLabel('Folder name').inputValue()).toBe('Groups');
    });
  },
);

inChromium('WEB-186, WEB-409: what another device changes meanwhile is kept', async () => {
  await withStage(async (stage) => {
    const { ann, ids } = await withGroups(stage);
    const { page } = ann;
    const { api } = await ann.actor();
    const names = async () => (await api.getFolders({})).items.map(({ name }) => name);
    const [work, home] = (await api.setFolders({ folders: [{ name: 'Work' }, { name: 'Home' }] })).items;
    if (!work || !home) throw new Error('both folders were sent');
    await filterOf(ann, 'Home').waitFor();
    await openFolders(ann);
    const dialog = page.getByRole('dialog', { name: 'Folders' });
    await dialog.getByRole('button', { name: 'Move folder 2 up' }).click();
    // The other device renames one folder and creates another.
    await api.setFolders({ folders: [{ ...work, name: 'Office' }, home, { name: 'New' }] });
    await dialog.getByRole('button', { name: /^New\b(?! folder)/ }).waitFor();
    // A look at a folder saves nothing of the dialog.
    await dialog.getByRole('button', { name: 'Delete folder 3' }).click();
    await dialog.getByRole('button', { name: /^Office/ }).click();
    await page.getByRole('dialog', { name: 'Edit folder' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await names()).toEqual(['Office', 'Home', 'New']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await closed(ann);
    expect(await names()).toEqual(['Office', 'Home', 'New']);
    await openFolders(ann);
    await dialog.getByRole('button', { name: 'Move folder 2 up' }).click();
    await api.setFolders({
      folders: [
        { ...work, name: 'Office' },
        { ...home, name: 'House' },
      ],
    });
    await dialog.getByRole('button', { name: /^New\b(?! folder)/ }).waitFor({ state: 'detached' });
    await save(ann);
    await closed(ann);
    expect(await names()).toEqual(['House', 'Office']);

    // An open form keeps what the other device leaves out, and counts what it mutes.
    const rule = { kinds: ['groups' as const], without_muted: true };
    await api.setFolders({ folders: [{ ...work, name: 'Office', rule }] });
    await filterOf(ann, 'Office', 3).click();
    await openFolders(ann);
    await dialog.getByRole('button', { name: /^Office/ }).click();
    const form = page.getByRole('dialog', { name: 'Edit folder' });
    const count = form.getByRole('status');
    await expect.poll(async () => count.textContent()).toBe('3 conversations');
    await api.setChatNotifications({ chat_id: ids['One'] ?? '', is_muted: true });
    await expect.poll(async () => count.textContent()).toBe('2 conversations');
    await api.setFolders({
      folders: [{ ...work, name: 'Office', rule: { ...rule, left_out: [ids['Two'] ?? ''] } }],
    });
    await expect.poll(async () => count.textContent()).toBe('1 conversation');
    await form.getByLabel('Folder name').fill('Teams');
    await save(ann);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await closed(ann);
    await expect.poll(async () => titles(ann)).toEqual(['Three']);
  });
});

inChromium('on a phone the form of a folder fits the screen, in the dark too', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' };
    const { ann } = await withGroups(stage, phone);
    const { page } = ann;
    await openFolders(ann);
    const form = page.getByRole('dialog', { name: 'New folder' });
    await form.getByLabel('Folder name').fill('Teams');
    await form.getByRole('switch', { name: 'Groups' }).tap();
    await stage.picture('folder-form-phone', page);
    const preview = form.getByRole('region', { name: 'In the folder now' });
    await preview.scrollIntoViewIfNeeded();
    await stage.picture('folder-form-phone-end', page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findings(page)).toEqual([]);
    await save(ann);
    await closed(ann);
    await filterOf(ann, 'Teams', 3).tap();
    await expect.poll(async () => titles(ann)).toEqual(['One', 'Two', 'Three']);
    await stage.picture('folder-list-phone', page);
    await openFolders(ann);
    await page
      .getByRole('dialog', { name: 'Folders' })
      .getByRole('button', { name: /^Teams/ })
      .waitFor();
    await stage.picture('list-folders-phone', page);
  });
});

inChromium(
  'the form and the folder find a conversation below more than a thousand newer ones',
  { timeout: 120_000 },
  async () => {
    await withStage(
      async (stage) => {
        const ann = await stage.person('ann');
        await stage.world.member('bob');
        const { api } = await ann.actor();
        await api.startChat({ username: 'bob' });
        for (let at = 0; at < 42; at += 1)
          await Promise.all(
            Array.from({ length: 25 }, (_, more) => api.startChat({ usernames: [], title: `Plan ${at}.${more}` })),
          );
        await ann.page.reload();
        await openFolders(ann);
        const form = ann.page.getByRole('dialog', { name: 'New folder' });
        await form.getByLabel('Folder name').fill('People');
        await form.getByRole('switch', { name: 'Chats with people' }).click();
        await expect
          .poll(async () => form.getByRole('status').textContent(), { timeout: 20_000 })
          .toBe('1 conversation');
        await save(ann);
        await closed(ann);
        await ann.page.reload();
        await filterOf(ann, 'People').click();
        await expect.poll(async () => titles(ann)).toEqual(['bob']);
      },
      { env: { RATE_LIMITS: '0' } },
    );
  },
);
