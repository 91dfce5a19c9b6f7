import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-742: who adds people, an agent or a channel tells the group, quietly', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const ann = await stage.person('ann');
    const cleo = await stage.person('cleo', { ...phone, locale: 'ar', colorScheme: 'dark' });
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Garden' });
    await api.startChat({ username: 'cleo' });
    await bob.api.sendMessage({ chat_id, text: 'who waters?' });
    await ann.open(chat_id);
    const { page } = ann;
    const notice = (text: string) => ann.timeline.getByText(text, { exact: true });
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Add', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add people' });
    await dialog.getByRole('option').filter({ hasText: '@cleo' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await notice('You added Cleo').waitFor();
    await details.getByRole('button', { name: 'Add yours' }).click();
    await page.getByRole('menuitem', { name: /Claude/ }).click();
    await notice('You added Claude of Ann · ann').waitFor();
    await details.getByRole('button', { name: 'New channel' }).click();
    await page.getByLabel('Channel name').fill('water');
    await page.getByLabel('Channel name').press('Enter');
    await expect.poll(async () => (await api.getChat({ chat_id })).channels.length).toBe(1);
    await ann.open(chat_id);
    await notice('You created the channel “water”').waitFor();
    await stage.picture('added-notices', page);

    // Others read it in their language, also after a reload; it is news to nobody.
    const chat = await bob.api.getChat({ chat_id });
    expect([chat.unread_count, chat.last_message?.service]).toMatchObject([0, { kind: 'channel_created' }]);
    await cleo.page.locator(`[data-chat="${chat_id}"]`, { hasText: 'أنشأ' }).waitFor();
    await cleo.open(chat_id);
    await cleo.page.locator('[data-message]', { hasText: 'أضافك' }).waitFor();
    await stage.picture('added-notices-arabic', cleo.page);
    const { items } = await api.getChatHistory({ chat_id });
    expect(items.flatMap(({ dispatch }) => dispatch)).toEqual([]);
  });
});
