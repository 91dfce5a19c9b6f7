import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium('a status stands beside its person’s name, until it ends', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const bob = await stage.world.member('bob');
    const { id: direct } = await bob.api.startChat({ username: 'ann' });
    const { id: group } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await bob.api.setStatus({ emoji: '🌴', text: 'On holiday', until });
    await ann.open(direct);
    const header = page.locator('main header').first();
    await header.getByText('On holiday').waitFor();
    await header.getByText('🌴').waitFor();
    const row = ann.chats.locator(`[data-chat='${direct}']`);
    await row.getByRole('img', { name: 'On holiday' }).waitFor();
    await page.getByRole('button', { name: 'Details' }).click();
    await page.getByText(/^until /u).waitFor();
    expect(await findings(page)).toEqual([]);
    await stage.picture('status-light', page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page, ['color-contrast'])).toEqual([]);
    await stage.picture('status-dark', page);
    await page.emulateMedia({ colorScheme: 'light' });

    await ann.open(group);
    await page.getByRole('button', { name: 'Details' }).click();
    const member = page.getByRole('listitem').filter({ hasText: '@bob' });
    await member.getByRole('img', { name: 'On holiday' }).waitFor();
    await page.getByRole('textbox', { name: /Message/u }).fill('@b');
    await page.getByRole('option', { name: /@bob/u }).getByRole('img', { name: 'On holiday' }).waitFor();
    await stage.picture('status-mention', page);
  });
});

inChromium('a status changes by itself, and disappears when it ends', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id } = await bob.api.startChat({ username: 'ann' });
    await bob.api.setStatus({ emoji: '🌴' });
    const row = ann.chats.locator(`[data-chat='${id}']`);
    await row.getByRole('img', { name: 'Status: 🌴' }).waitFor();
    await bob.api.setStatus({ text: 'Back soon', until: new Date(Date.now() + 6_000).toISOString() });
    await row.getByRole('img', { name: 'Back soon' }).waitFor();
    expect(await row.getByRole('img', { name: 'Back soon' }).textContent()).toBe('💬');
    await row.getByRole('img', { name: 'Back soon' }).waitFor({ state: 'detached' });
  });
});

inChromium('the settings set a status with an end, and clear it', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { page } = ann;
    const { api } = await ann.actor();
    const bob = await stage.world.member('bob');
    // Those with whom ann has begun a chat see her status (STATUS-2).
    await api.startChat({ username: 'bob' });
    const stored = async () => (await bob.api.getPresence({ usernames: ['ann'] })).items[0]?.custom_status;
    await page.goto(new URL('/settings/profile', page.url()).href);
    const save = page.getByRole('button', { name: 'Save status' });
    await save.click();
    await page.getByRole('alert').getByText('Choose an emoji or enter a text.').waitFor();
    await page.getByRole('button', { name: 'Choose an emoji' }).click();
    await page.getByRole('combobox', { name: 'Search emoji' }).fill('palm tree');
    await page.getByRole('option', { name: 'palm tree' }).click();
    await page.getByLabel('What’s your status?').fill('On holiday');
    await page.getByLabel('Clear after').selectOption('1 hour');
    expect(await findings(page)).toEqual([]);
    await stage.picture('status-form', page);
    await save.click();
    await page.getByRole('status').getByText('Saved').first().waitFor();
    const status = await stored();
    expect(status).toMatchObject({ emoji: '🌴', text: 'On holiday' });
    const leftMs = Date.parse(status?.until ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(3_500_000);
    expect(leftMs).toBeLessThanOrEqual(3_600_000);
    // Saved again, it keeps its end.
    const text = page.getByLabel('What’s your status?');
    await text.fill('By the sea');
    await text.press('Enter');
    await expect.poll(stored).toEqual({ ...status, text: 'By the sea' });
    await page.getByRole('status').getByText('Saved').first().waitFor();
    expect(await text.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByLabel('Clear after').selectOption('Choose a time');
    await page.getByLabel('Time', { exact: true }).fill('2020-01-01T12:00');
    await save.click();
    await page.getByRole('alert').getByText('Choose a time in the future.').waitFor();
    // What is being edited stays if another device changes the status, and while it is unknown.
    await text.fill('In the hills');
    await page.getByLabel('Clear after').selectOption('kept');
    await api.setStatus({ text: 'from my tablet' });
    stage.watch.expect(/ERR_INTERNET_DISCONNECTED|WebSocket connection/);
    const clear = page.getByRole('button', { name: 'Clear status' });
    await ann.context.setOffline(true);
    await clear.waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('In the hills');
    await ann.context.setOffline(false);
    await clear.waitFor();
    await save.click();
    await expect.poll(stored).toEqual({ ...status, text: 'In the hills' });
    // Another device shows here too.
    await api.setStatus({ text: 'from my phone' });
    await expect.poll(async () => text.inputValue()).toBe('from my phone');
    await clear.click();
    await expect.poll(stored).toBeUndefined();
    await expect.poll(async () => text.inputValue()).toBe('');
  });
});

inChromium('on a phone a long status leaves the name legible, and the form fits', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { page } = ann;
    const bob = await stage.world.member('bob');
    const { id } = await bob.api.startChat({ username: 'ann' });
    await bob.api.setStatus({ emoji: '🚆', text: 'On the train to the mountains, and not reachable before tomorrow' });
    await ann.open(id);
    const header = page.locator('main header').first();
    await header.getByText(/On the train/u).waitFor();
    const name = await header
      .getByText('bob', { exact: true })
      .first()
      .evaluate((node) => node.scrollWidth - node.clientWidth);
    expect(name).toBe(0);
    await stage.picture('status-phone', page);
    await page.goto(new URL('/settings/profile', page.url()).href);
    await page.getByLabel('What’s your status?').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await stage.picture('status-form-phone', page);
  });
});
