import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { act, choose, filterOf, GUIDE, row, titles, withGroups } from '../setup/chat-list.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'rows are pinned from their menu, ordered by dragging, keys and menu, on both devices',
  { timeout: 120_000 },
  async () => {
    await withStage(async (stage) => {
      const { ann } = await withGroups(stage);
      const { page } = ann;
      const other = await ann.tab();
      const both = async (expected: string[]) => {
        for (const tab of [ann, other])
          await expect.poll(async () => (await titles(tab)).slice(0, expected.length)).toEqual(expected);
      };
      await both(['One', 'Two', 'Three']);
      await act(ann, 'Three', 'Pin');
      await act(ann, 'Two', 'Pin');
      await act(ann, 'One', 'Pin');
      await both(['One', 'Two', 'Three']);
      // The pins are new: move one to see their order.
      await act(ann, 'One', 'Move down');
      await both(['Two', 'One', 'Three']);
      await row(ann, 'Three').dragTo(row(ann, 'Two'), { targetPosition: { x: 60, y: 4 } });
      await both(['Three', 'Two', 'One']);
      await ann.chat('One').focus();
      await page.keyboard.press('Alt+Shift+ArrowUp');
      await both(['Three', 'One', 'Two']);
      await page.getByRole('status').filter({ hasText: 'Moved to place 2 of 3' }).waitFor({ state: 'attached' });
      await page.keyboard.press('Alt+Shift+ArrowUp');
      await both(['One', 'Three', 'Two']);
      expect(await ann.chat('One').evaluate((link) => link === document.activeElement)).toBe(true);
      await page.keyboard.press('Shift+F10');
      await page.getByRole('menu', { name: 'Actions for One' }).waitFor();
      await stage.picture('list-menu', page);
      expect(await findings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(async () => ann.chat('One').evaluate((link) => link === document.activeElement)).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await choose(ann, 'Unpin');
      await both(['Three', 'Two', 'One']);
      await ann.chat('Two').getByLabel('pinned').waitFor();
    });
  },
);

inChromium('archive, marks, filters and clearing', { timeout: 120_000 }, async () => {
  await withStage(async (stage) => {
    const { ann, bob, ids } = await withGroups(stage);
    const { page } = ann;
    await act(ann, 'Two', 'Archive');
    await row(ann, 'Two').waitFor({ state: 'detached' });
    const archived = ann.chats.getByRole('button', { name: /^Archived/ });
    await archived.getByLabel('1 unread').waitFor();
    await archived.click();
    await expect.poll(async () => titles(ann)).toEqual(['Two']);
    await stage.picture('list-archive', page);
    await page.getByRole('button', { name: 'Archived' }).click();
    // A new message brings it back.
    await bob.api.sendMessage({ chat_id: ids['Two'] ?? '', text: 'news' });
    await row(ann, 'Two').waitFor();
    await archived.waitFor({ state: 'detached' });
    // Muted, it stays in the archive.
    await act(ann, 'Two', 'Mute', 'For 1 week');
    await ann.chat('Two').getByLabel('muted').waitFor();
    await act(ann, 'Two', 'Archive');
    await bob.api.sendMessage({ chat_id: ids['Two'] ?? '', text: 'more news' });
    await bob.api.sendMessage({ chat_id: ids['Three'] ?? '', text: 'seen after it' });
    await row(ann, 'Three').getByText('seen after it').waitFor();
    expect(await titles(ann)).not.toContain('Two');
    await archived.click();
    await act(ann, 'Two', 'Move out of the archive');
    await page.getByText('Nothing is archived.').waitFor();
    await page.getByRole('button', { name: 'Archived' }).click();

    await act(ann, 'One', 'Mark as read');
    await ann.chat('One').getByLabel('unread').waitFor({ state: 'detached' });
    await act(ann, 'One', 'Mark as unread');
    await ann.chat('One').getByLabel('marked as unread').waitFor();
    await filterOf(ann, 'Unread').click();
    await expect.poll(async () => (await titles(ann)).toSorted()).toEqual(['One', 'Three', 'Two']);
    await stage.picture('list-unread', page);
    await ann.chat('One').click();
    await ann.composer.waitFor();
    await ann.chat('One').getByLabel('marked as unread').waitFor({ state: 'detached' });
    expect(await titles(ann)).toContain('One');
    await filterOf(ann, 'Agents').click();
    await expect.poll(async () => titles(ann)).toEqual([GUIDE]);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await titles(ann)).length).toBe(3);
    await filterOf(ann, 'All').click();

    await ann.message('hello from One').waitFor();
    await act(ann, 'One', 'Clear history');
    await page.getByRole('dialog').getByText('The others keep them').waitFor();
    await page.getByRole('button', { name: 'Clear history' }).click();
    await ann.message('hello from One').waitFor({ state: 'detached' });
    await ann.chat('One').getByText('No messages yet').waitFor();
    await bob.api.sendMessage({ chat_id: ids['One'] ?? '', text: 'fresh' });
    await ann.message('fresh').waitFor();
    expect(await ann.texts()).toEqual(['fresh']);
    await page.reload();
    await ann.message('fresh').waitFor();
    expect(await ann.texts()).toEqual(['fresh']);
    await act(ann, 'Three', 'Leave group');
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await row(ann, 'Three').waitFor({ state: 'detached' });
  });
});

inChromium('on a phone a long press opens the menu and does not open the conversation', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const { page } = ann;
    const touch = await ann.context.newCDPSession(page);
    await ann.chat(GUIDE).waitFor();
    const box = await ann.chat(GUIDE).boundingBox();
    const at = { x: (box?.x ?? 0) + 80, y: (box?.y ?? 0) + 20 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
    await page.getByRole('menu', { name: `Actions for ${GUIDE}` }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await stage.picture('list-phone', page);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).tap();
    await ann.chat(GUIDE).getByLabel('pinned').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

inChromium('on a phone a finger that has rested on a pinned row moves it, and opens its menu otherwise', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const { ann, ids } = await withGroups(stage, phone);
    const { api } = await ann.actor();
    for (const title of ['Three', 'Two', 'One']) await api.setChatState({ chat_id: ids[title] ?? '', is_pinned: true });
    const { page } = ann;
    // Without the notices about the messages, which cover the first rows.
    await page.reload();
    const top = async () => (await titles(ann)).slice(0, 3);
    await expect.poll(async () => page.locator('[data-pinned]').count()).toBe(3);
    expect(await top()).toEqual(['One', 'Two', 'Three']);
    const session = await ann.context.newCDPSession(page);
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] });
    const middle = async (title: string) => {
      const box = await row(ann, title).boundingBox();
      return { x: 120, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
    };
    const lifted = page.locator('[data-lifted]');
    const lift = async (title: string) => {
      const at = await middle(title);
      await touch('touchStart', at);
      await lifted.filter({ hasText: title }).waitFor();
      return at;
    };

    const from = await lift('One');
    const to = await middle('Three');
    for (const part of [0.3, 0.6, 1]) await touch('touchMove', { x: 120, y: from.y + (to.y + 15 - from.y) * part });
    await page.locator('[data-drop=after]').filter({ hasText: 'Three' }).waitFor();
    await stage.picture('list-phone-lifted', page);
    await touch('touchEnd');
    await expect.poll(top).toEqual(['Two', 'Three', 'One']);
    expect(await lifted.count()).toBe(0);
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');

    await lift('Three');
    expect(await page.getByRole('menu').count()).toBe(0);
    await touch('touchEnd');
    await page.getByRole('menu', { name: 'Actions for Three' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

inChromium('after clearing, the bar of pinned messages is gone until something visible is pinned', async () => {
  await withStage(async (stage) => {
    const { ann, bob, ids } = await withGroups(stage);
    const chat_id = ids['One'] ?? '';
    const { id: message_id } = await bob.api.sendMessage({ chat_id, text: 'a rule' });
    await bob.api.pinMessage({ chat_id, message_id });
    await ann.open(chat_id);
    const bar = ann.page.getByRole('button', { name: 'a rule' });
    await bar.waitFor();
    await (await ann.actor()).api.clearChat({ chat_id });
    await bar.waitFor({ state: 'detached' });
    await expect.poll(async () => ann.page.getByText('Pinned message').count()).toBe(0);
    const { id: fresh } = await bob.api.sendMessage({ chat_id, text: 'a new rule' });
    await bob.api.pinMessage({ chat_id, message_id: fresh });
    await ann.page.getByRole('button', { name: 'a new rule' }).waitFor();
  });
});
