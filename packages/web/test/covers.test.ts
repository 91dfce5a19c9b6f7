import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from './chromium.ts';
import { withStage } from './stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium('WEB-15: on a phone Back closes what lies over the screen, and nothing is left of it', async () => {
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

    // Back closes one after the other, and stays in the conversation.
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

    // Forward leads to nothing that is closed.
    await page.evaluate(() => history.forward());
    await settled(page);
    expect(await details.count()).toBe(0);

    // Closed by its button it leaves no step: the next Back is that of the conversation.
    await openDetails();
    await details.getByRole('button', { name: 'Close' }).tap();
    await details.waitFor({ state: 'detached' });
    await settled(page);
    await page.goBack();
    await ann.chats.waitFor();

    // What one goes to from there lies directly behind the conversation.
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

    // So does what is found from two covers, one over the other.
    await ann.chat('Plans').tap();
    await openDetails();
    await details.getByRole('button', { name: 'Search here' }).tap();
    await page.getByRole('combobox', { name: 'Search' }).fill('needle');
    await page.getByRole('option').filter({ hasText: 'needle' }).tap();
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    await settled(page);
    // To before the search, and to the list.
    await page.goBack();
    await ann.message('the needle').waitFor();
    await page.goBack();
    await ann.chats.waitFor();

    // Loaded anew while something lay open, the page is the place below.
    await page.getByRole('button', { name: 'New conversation' }).tap();
    await page.getByRole('dialog').waitFor();
    await page.reload();
    await ann.chats.waitFor();
    await settled(page);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

inChromium('WEB-15: a step back that the browser drops leaves no link dead', async () => {
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

/** Steps back take a moment: what is in the history is what is seen. */
async function settled(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).toBe('null');
}
