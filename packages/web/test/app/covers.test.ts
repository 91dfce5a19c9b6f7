import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium('WEB-15: on a phone Back closes the open overlays one by one and leaves no history entries', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.setMemberRole({ chat_id, username: 'ann', role: 'admin' });
    await bob.api.createChannel({ chat_id, title: 'news' });
    await bob.api.sendMessage({ chat_id, text: 'the needle' });
    const { page } = ann;
    const path = () => new URL(page.url()).pathname;
    const details = page.getByRole('dialog', { name: 'Details' });
    const openDetails = async () => {
      await page.getByRole('button', { name: 'Details', exact: true }).tap();
      await details.getByRole('button', { name: 'Search here' }).waitFor();
    };
    await ann.chat('Plans').tap();
    await ann.message('the needle').waitFor();

    // Back closes one overlay after the other and stays in the conversation.
    await openDetails();
    await details.getByRole('button', { name: 'Leave the group' }).tap();
    const question = page.getByRole('dialog', { name: 'Leave the group' });
    await question.waitFor();
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await details.waitFor();
    await page.goBack();
    await details.waitFor({ state: 'detached' });
    expect(path()).toBe(`/chat/${chat_id}`);
    await ann.message('the needle').waitFor();

    // So does it with a menu, also on a phone that lies on its side.
    for (const viewport of [phone.viewport, { width: 844, height: 390 }]) {
      await page.setViewportSize(viewport);
      await page.locator('[data-composer=timeline]').getByRole('button', { name: 'Add', exact: true }).tap();
      const item = page.getByRole('menuitem', { name: 'Poll' });
      await item.waitFor();
      await page.goBack();
      await item.waitFor({ state: 'detached' });
      expect(path()).toBe(`/chat/${chat_id}`);
    }
    await page.setViewportSize(phone.viewport);

    // Forward does not reopen a closed overlay.
    await page.evaluate(() => history.forward());
    await settled(page);
    expect(await details.count()).toBe(0);

    // An overlay closed by its button leaves no entry: the next Back leaves the conversation.
    await openDetails();
    await details.getByRole('button', { name: 'Close' }).tap();
    await details.waitFor({ state: 'detached' });
    await settled(page);
    await page.goBack();
    await ann.chats.waitFor();

    // A route opened from an overlay directly follows the conversation in the history.
    await ann.chat('Plans').tap();
    await openDetails();
    await details.getByRole('button', { name: 'news', exact: true }).tap();
    await expect.poll(path).toMatch(/channel/);
    await details.waitFor({ state: 'detached' });
    await settled(page);
    await page.goBack();
    await expect.poll(path).toBe(`/chat/${chat_id}`);
    await ann.message('the needle').waitFor();
    await page.goBack();
    await ann.chats.waitFor();

    // So does a search hit opened from two stacked overlays.
    await ann.chat('Plans').tap();
    await openDetails();
    await details.getByRole('button', { name: 'Search here' }).tap();
    await page.getByRole('combobox', { name: 'Search' }).fill('needle');
    await page.getByRole('option').filter({ hasText: 'needle' }).tap();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await settled(page);
    // Back leads to the conversation, then to the list.
    await page.goBack();
    await ann.message('the needle').waitFor();
    await page.goBack();
    await ann.chats.waitFor();

    // A reload with an open overlay shows the route below it.
    await page.getByRole('button', { name: 'New conversation' }).tap();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await ann.chats.waitFor();
    await settled(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

inChromium('WEB-15: links keep working after the browser drops a step back', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.createChannel({ chat_id, title: 'news' });
    const { page } = ann;
    await ann.chat('Plans').tap();
    await page.getByRole('button', { name: 'Details', exact: true }).tap();
    await page.evaluate(() => void (history.go = () => {}));
    const details = page.getByRole('dialog', { name: 'Details' });
    await details.getByRole('button', { name: 'news', exact: true }).tap();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/channel/);
  });
});

/** Going back takes a moment: waits until the page shows the current entry. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toBe('null');
}
