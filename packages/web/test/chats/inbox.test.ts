import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const photo = { kind: 'photo', url: 'https://example.org/a.png' } as const;

/** A group in which Bob has mentioned Ann, replied to her, and written in her thread. */
async function scene(stage: Stage, options = {}) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const own = await api.sendMessage({ chat_id, text: 'who comes?' });
  const mention = await bob.api.sendMessage({ chat_id, text: '@ann shall we take the **early** train?' });
  await bob.api.sendMessage({ chat_id, text: 'I come', reply_to_message_id: own.id });
  const inThread = await bob.api.sendMessage({ chat_id, text: 'about tickets', thread_root_id: own.id });
  const { page } = ann;
  const link = page.getByRole('link', { name: 'For you' });
  const rows = page.getByRole('list', { name: 'For you' }).getByRole('listitem');
  return { ann, api, bob, page, chat_id, own, mention, inThread, link, rows };
}

inChromium('WEB-247: the inbox shows what is for the user, and is worked through by keyboard', async () => {
  await withStage(async (stage) => {
    const { ann, bob, page, chat_id, inThread, link, rows } = await scene(stage);
    await link.getByLabel('3 unread').waitFor();
    await link.click();
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts.map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^bob wrote in a thread you’re in .+ about tickets Plans$/),
      expect.stringMatching(/^bob replied to you .+ I come Plans$/),
      expect.stringMatching(/^bob mentioned you .+ @Ann shall we take the early train\? Plans$/),
    ]);
    expect(await rows.getByRole('img', { name: 'Unread' }).count()).toBe(3);
    expect(await findings(page)).toEqual([]);
    await stage.picture('inbox-light', page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, ['color-contrast'])).toEqual([]);
    await stage.picture('inbox-dark', page);

    // The first row has the focus.
    const focused = (index: number) => rows.nth(index).locator('a:focus').waitFor();
    await focused(0);
    await page.keyboard.press('ArrowDown');
    await focused(1);
    await page.keyboard.press('e');
    await expect.poll(async () => rows.count()).toBe(2);
    await rows.nth(1).locator('a:focus').getByText('mentioned you').waitFor();
    await link.getByLabel('2 unread').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain(`/thread/${inThread.thread_root_id}?m=${inThread.id}`);
    await page.getByText('about tickets').first().waitFor();
    // Both are read now, and stay until they are done.
    await link.getByLabel('unread').waitFor({ state: 'detached' });
    await page.goBack();
    await expect.poll(async () => rows.count()).toBe(2);
    expect(await rows.getByRole('img', { name: 'Unread' }).count()).toBe(0);
    await bob.api.sendMessage({ chat_id, text: '@ann one more' });
    await expect.poll(async () => rows.count()).toBe(3);

    // Another tab agrees, and an item that arrives meanwhile stays.
    const tab = await ann.tab();
    await tab.page.getByRole('button', { name: 'Mark all as done' }).click();
    await tab.page.getByText('You’re all caught up').waitFor();
    await tab.page.getByRole('heading', { name: 'For you' }).and(tab.page.locator(':focus')).waitFor();
    await page.getByText('You’re all caught up').waitFor();
    await stage.picture('inbox-empty', page);
  });
});

inChromium('WEB-247: on a phone the inbox takes the whole screen; “Done” removes the last row', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const { api, page, link, rows } = await scene(stage, phone);
    await api.setInboxDone({ message_ids: (await api.getInbox({})).items.slice(0, 2).map((item) => item.message_id) });
    await link.getByLabel('1 unread').waitFor();
    await stage.picture('inbox-phone-list', page);
    await link.tap();
    await rows.first().waitFor();
    expect(await rows.count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await stage.picture('inbox-phone', page);
    await rows.getByRole('button', { name: 'Done' }).tap();
    await page.getByText('You’re all caught up').waitFor();
    await expect.poll(async () => (await api.getInbox({})).items).toEqual([]);
    await page.getByRole('button', { name: 'All conversations' }).tap();
    await link.waitFor();
    // The address of the inbox works by itself.
    await page.goto(new URL('/inbox', page.url()).href);
    await page.getByText('You’re all caught up').waitFor();
  });
});

inChromium('WEB-430: what the service writes for the user is in the language of the app', async () => {
  await withStage(async (stage) => {
    const { ann, api, bob, page, chat_id, own } = await scene(stage, { locale: 'de' });
    const bot = await stage.world.bot(await ann.actor(), 'helper');
    const { id: withBot } = await api.startChat({ username: bot.username });
    const { id: message_id } = await bot.api.sendMessage({ chat_id: withBot, text: '{% button action="vote:yes" /%}' });
    await api.sendComponentAction({ chat_id: withBot, message_id, action: 'vote:yes' });
    const { id: direct } = await api.startChat({ username: 'ann:provider_a' });
    await api.sendMessage({ chat_id: direct, text: 'Hello' });
    await bob.api.sendMessage({ chat_id, text: '', reply_to_message_id: own.id, attachments: [photo, photo] });
    await stage.world.turnsEnded();
    await page.goto(`${stage.world.url}/inbox`);
    const texts = async () => (await page.locator('[data-item]').allInnerTexts()).join(' ');
    await expect.poll(texts).toContain('Foto +1');
    expect(await texts()).toContain('Er braucht einen API-Schlüssel, um hier zu antworten.');
    expect(await texts()).not.toMatch(/key|Photo/);
    await stage.picture('inbox-german', page);
    const row = page.locator(`[data-chat='${direct}']`);
    await row.getByText('Konnte nicht antworten').waitFor();
    await row.click();
    await page.locator('[data-message]').getByText('Er braucht einen API-Schlüssel, um hier zu antworten.').waitFor();
    expect(await page.locator('body').innerText()).not.toContain('API key');
    await stage.picture('refusal-german', page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('settings');
    await page.getByRole('option').filter({ hasText: 'Konnte nicht antworten' }).waitFor();
    await page.getByRole('combobox').fill('got it');
    await page.getByRole('option').filter({ hasText: 'Alles klar.' }).waitFor();
  });
});
