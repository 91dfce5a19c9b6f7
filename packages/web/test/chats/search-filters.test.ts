import { systemClock } from '@parley/server/core/clock.ts';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The readers' zone is 13 hours ahead of UTC: their day begins on the day before. */
const zone = { timezoneId: 'Etc/GMT-13', offsetMs: 13 * HOUR_MS };
const dayIn = (ms: number): string => new Date(ms + zone.offsetMs).toISOString().slice(0, 10);

/** Five days ago, half an hour after the readers' midnight. */
const today = Math.floor((systemClock.now() + zone.offsetMs) / DAY_MS) * DAY_MS - zone.offsetMs;
const longAgo = today - 5 * DAY_MS + 30 * MINUTE_MS;

/** Runs `work` with messages of five days ago and of now, from two people in two conversations. */
async function withMessages(
  options: Parameters<Stage['person']>[1],
  work: (page: Page, stage: Stage) => Promise<void>,
): Promise<void> {
  let behindMs = systemClock.now() - longAgo;
  const clock = { ...systemClock, now: () => systemClock.now() - behindMs };
  await withStage(
    async (stage) => {
      const ann = await stage.person('ann', { timezoneId: zone.timezoneId, ...options });
      const bob = await stage.world.member('bob');
      await bob.api.updateProfile({ display_name: 'Bob Miller' });
      const { api } = await ann.actor();
      const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
      const { id: other } = await bob.api.startChat({ username: 'ann' });
      await bob.api.sendMessage({ chat_id, text: 'a trip long ago' });
      behindMs = 0;
      await bob.api.sendMessage({ chat_id, text: 'a trip by bus' });
      await api.sendMessage({ chat_id, text: 'a trip by train' });
      await bob.api.sendMessage({ chat_id: other, text: 'a trip at night' });
      await ann.open(chat_id);
      await work(ann.page, stage);
    },
    { clock },
  );
}

const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search' });
const filters = (page: Page): Locator => page.getByRole('group', { name: 'Filter messages' });
const remove = (page: Page, filter: string): Locator =>
  filters(page).getByRole('button', { name: `Remove the filter “${filter}”` });

async function finds(page: Page, texts: readonly string[]): Promise<void> {
  const found = page.getByRole('group', { name: 'Messages' }).locator('[dir=auto]:has(mark)');
  await expect.poll(async () => found.allInnerTexts()).toEqual(texts);
}

/** A day as the English app shows it. */
const shownDay = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

inChromium('modifiers limit the search, and names after from: are completed', async () => {
  await withMessages({}, async (page) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('trip from:mil');
    const people = page.getByRole('group', { name: 'From' }).getByRole('option');
    await expect.poll(async () => people.count()).toBe(1);
    expect(await people.innerText()).toContain('Bob Miller');
    await page.keyboard.press('Enter');
    expect(await field(page).inputValue()).toBe('trip from:@bob ');
    await remove(page, 'From Bob Miller').waitFor();
    await finds(page, ['a trip at night', 'a trip by bus', 'a trip long ago']);
    expect(await page.getByRole('group', { name: 'Conversations' }).count()).toBe(0);

    const day = dayIn(longAgo);
    await field(page).fill(`on:${day} trip`);
    await finds(page, ['a trip long ago']);
    await remove(page, `On ${shownDay(day)}`).waitFor();
    await field(page).fill(`on:${dayIn(longAgo - DAY_MS)} trip`);
    await page.getByText('Nothing found for “trip”.').waitFor();
    await field(page).fill(`after:${day} from:@ann trip`);
    await finds(page, ['a trip by train']);
    await field(page).fill(`before:${dayIn(longAgo + DAY_MS)} trip`);
    await finds(page, ['a trip long ago']);

    await field(page).fill('from:@bob ');
    await page.getByText('Type a word of the messages that you’re looking for.').waitFor();
    await field(page).fill('trip on:2026');
    await page.getByText(/^Type a day as in on:\d{4}-\d{2}-\d{2}\.$/).waitFor();
    await field(page).fill('from:nobody_at_all trip');
    await page.getByText('Nothing found for “trip”.').waitFor();
    await field(page).fill('trip from:nobody_at_all');
    await page.getByText('No one found for “nobody_at_all”. Try their full username.').waitFor();
  });
});

inChromium('on a phone, buttons set and remove the filters', async () => {
  const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;
  await withMessages(phone, async (page, stage) => {
    await page.goto(stage.world.url);
    await page.getByRole('button', { name: /^Search/ }).tap();
    await field(page).fill('trip');
    await finds(page, ['a trip at night', 'a trip by train', 'a trip by bus', 'a trip long ago']);
    await filters(page).getByRole('button', { name: 'From' }).tap();
    await page.getByRole('group', { name: 'From' }).getByRole('option', { name: 'Bob Miller' }).tap();
    await finds(page, ['a trip at night', 'a trip by bus', 'a trip long ago']);

    await filters(page).getByRole('button', { name: 'Date' }).tap();
    await page.getByRole('combobox', { name: 'When' }).selectOption('Before');
    await page.getByLabel('Day').fill(dayIn(today));
    await stage.picture('search-filters-phone', page);
    await filters(page).getByRole('button', { name: 'Set' }).tap();
    await finds(page, ['a trip long ago']);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findings(page)).toEqual([]);
    await stage.picture('search-filters-phone-set', page);

    await remove(page, `Before ${shownDay(dayIn(today))}`).tap();
    await remove(page, 'From Bob Miller').tap();
    expect(await field(page).inputValue()).toBe('trip ');
    await finds(page, ['a trip at night', 'a trip by train', 'a trip by bus', 'a trip long ago']);
  });
});

inChromium('the keyboard limits the search to the open conversation, and Escape leaves the date first', async () => {
  await withMessages({}, async (page, stage) => {
    await page.keyboard.press('Control+k');
    await field(page).fill('trip by');
    await filters(page).getByRole('button', { name: 'In this chat' }).press('Enter');
    await finds(page, ['a trip by train', 'a trip by bus']);
    await expect.poll(async () => field(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await field(page).fill('night');
    await page.getByText('Nothing found for “night”.').waitFor();
    const date = filters(page).getByRole('button', { name: 'Date' });
    await date.press('Enter');
    const when = page.getByRole('combobox', { name: 'When' });
    await expect.poll(async () => when.evaluate((one) => one === document.activeElement)).toBe(true);
    await stage.picture('search-filters', page);
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await when.waitFor({ state: 'detached' });
    await expect.poll(async () => date.evaluate((one) => one === document.activeElement)).toBe(true);
    await remove(page, 'In Plans').press('Enter');
    await finds(page, ['a trip at night']);
  });
});

inChromium(
  'a button and has: limit the search to messages that hold an image, a video, a sound, a file or a link',
  async () => {
    await withStage(async (stage) => {
      const ann = await stage.person('ann');
      const bob = await stage.world.member('bob');
      const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
      const { name, buffer } = smallPhoto('beach.png');
      const { id } = await bob.api.uploadFile({ file: new File([new Uint8Array(buffer)], name) });
      await bob.api.sendMessage({ chat_id, text: 'trip to the sea', attachments: [{ id }] });
      await bob.api.sendMessage({ chat_id, text: 'trip: https://example.org' });
      await bob.api.sendMessage({ chat_id, text: 'trip' });
      await ann.open(chat_id);
      const { page } = ann;
      await page.keyboard.press('Control+k');
      await page.keyboard.type('trip');
      await filters(page).getByRole('button', { name: 'Contains' }).click();
      const choices = page.getByRole('group', { name: 'Kind of content' });
      await choices.getByRole('button', { name: 'With an image' }).and(page.locator(':focus')).waitFor();
      expect(await findings(page)).toEqual([]);
      await stage.picture('search-kinds', page);
      await page.keyboard.press('Escape');
      await choices.waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await choices.getByRole('button', { name: 'With an image' }).press('Enter');
      expect(await field(page).inputValue()).toBe('trip has:image ');
      await finds(page, ['trip to the sea beach.png']);
      await stage.picture('search-kind-set', page);
      await field(page).fill('beach has:image ');
      await finds(page, ['trip to the sea beach.png']);
      await remove(page, 'With an image').click();
      await field(page).fill('has:link trip');
      await remove(page, 'With a link').waitFor();
      await finds(page, ['trip: https://example.org']);
      await field(page).fill('trip has:');
      await page.getByText('Type one of has:image, has:video').waitFor();
    });
  },
);
