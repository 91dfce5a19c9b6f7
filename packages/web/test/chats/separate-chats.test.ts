import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import type { Stage } from '../setup/stage.ts';

const KEY = 'key-of-ann';
const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

/** Lets the agent answer, and make titles from `titles` in their order. */
function script(stage: Stage, ...titles: string[]): void {
  stage.world.providers.script(KEY, ({ body }) => ({
    chunks: [
      JSON.stringify(body).includes('give conversations their titles') ? (titles.shift() ?? '') : 'It is in Italy.',
    ],
  }));
}

const header = (page: Page) => page.locator('main header').first();

inChromium('a new chat with the same agent from the header, the keyboard and the palette', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    script(stage, 'Where Rome is', 'Paris in spring');
    const username = await ann.agent(KEY);
    const { api } = await ann.actor();
    const first = await api.startChat({ username });
    await ann.open(first.id);
    await page.getByRole('button', { name: 'New chat' }).click();
    await ann.composer.and(page.locator(':focus')).waitFor();
    await header(page).getByText('New chat', { exact: true }).waitFor();
    const separate = page.url();
    expect(separate).not.toContain(first.id);
    // The empty chat is used again.
    await page.keyboard.press('Control+Shift+O');
    await page.keyboard.type('Where is **Rome**?');
    expect(page.url()).toBe(separate);
    await page.keyboard.press('Enter');
    await ann.chat('Where Rome is').waitFor();
    await ann.chat('Where Rome is').getByText('· ann').waitFor();
    await header(page).getByText('Where Rome is').waitFor();
    await header(page).getByText('· ann').waitFor();
    await expect.poll(async () => page.title()).toBe('Where Rome is · Parley');
    await stage.picture('chats-1-titled', page);
    await page.keyboard.press('Control+Shift+O');
    await header(page).getByText('New chat', { exact: true }).waitFor();
    expect(page.url()).not.toBe(separate);
    await ann.say('And Paris?');
    await ann.chat('Paris in spring').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('new chat');
    await page.getByRole('option', { name: 'New chat with' }).waitFor();
    // Behind a dialog the shortcut does nothing.
    const isLeft = await page.evaluate(() =>
      dispatchEvent(
        new KeyboardEvent('keydown', { key: 'O', ctrlKey: true, shiftKey: true, bubbles: true, cancelable: true }),
      ),
    );
    expect(isLeft).toBe(true);
    await stage.picture('chats-2-palette', page);
    await page.keyboard.press('Enter');
    await header(page).getByText('New chat', { exact: true }).waitFor();
    await ann.composer.and(page.locator(':focus')).waitFor();
    // The last reply may not be marked as read yet.
    await expect.poll(async () => page.title()).toMatch(/^(?:\(1\) )?Parley$/);
  });
});

inChromium('a separate chat is renamed and deleted in its details, also on a phone', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    script(stage, 'Where Rome is');
    const username = await ann.agent(KEY);
    const { api } = await ann.actor();
    const { id } = await api.startChat({ username, new: true });
    const elsewhere = await ann.tab();
    await ann.open(id);
    await ann.composer.fill('Where is Rome?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await header(page).getByText('Where Rome is').waitFor();
    await stage.picture('chats-3-phone', page);
    await elsewhere.chat('Where Rome is').waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of this chat').fill('  ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name for this chat.').waitFor();
    await page.getByLabel('Name of this chat').fill('Italy');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Italy', level: 3 }).waitFor();
    await stage.picture('chats-5-phone-details', page);
    await elsewhere.chat('Italy').waitFor();
    await stage.picture('chats-4-phone-list', elsewhere.page);
    await page.getByRole('button', { name: 'Delete this chat' }).click();
    await page.getByText('all its messages are deleted for good').waitFor();
    await stage.picture('chats-6-phone-delete', page);
    await page.getByRole('button', { name: 'Delete chat' }).click();
    await ann.chats.waitFor();
    await expect.poll(async () => elsewhere.chat('Italy').count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
    expect((await api.getChats()).items.map((chat) => chat.id)).not.toContain(id);

    await page.goto(`${stage.world.url}/settings/agents`);
    await page.getByText('Who may talk to it, and how much').first().click();
    await page.getByRole('switch', { name: 'Give chats a title' }).first().click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor();
    await stage.picture('chats-7-phone-settings', page);
    const agents = ['provider_a', 'provider_b'].map((slug) => api.getMyBotConfig({ username: `ann:${slug}` }));
    const titles = (await Promise.all(agents)).map((config) => config.titles);
    expect(new Set(titles)).toEqual(new Set([false, true]));
  });
});

inChromium('the palette finds chats by title and says whose they are; people are listed once', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    for (const title of ['Rome in May', 'Paris in spring']) {
      const { id: chat_id } = await api.startChat({ username: 'parley:guide', new: true });
      await api.setChatTitle({ chat_id, title });
    }
    await ann.chat('Paris in spring').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('rome');
    await page.getByRole('option', { name: 'Rome in May' }).getByText('· parley').waitFor();
    await page.keyboard.press('Enter');
    await header(page).getByText('Rome in May').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Guide').first().waitFor();
    expect(await dialog.getByText('@parley:guide').count()).toBeLessThanOrEqual(1);
    expect(await dialog.getByRole('option').filter({ hasText: 'Guide' }).count()).toBe(1);
  });
});
