import type { Actor } from '@parley/testing';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: 'dark' } as const;

const read = async ({ api }: Actor, chat_id: string): Promise<void> => {
  const { items } = await api.getChatHistory({ chat_id, limit: 1 });
  await api.markRead({ chat_id, message_id: items.at(-1)?.id ?? '' });
};

/** Ann in a group in which she has read "the first", and then bob has written 60 messages. */
async function withUnread(stage: Stage, textOf: (at: number) => string) {
  const ann = await stage.person('ann');
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const { id: first } = await bob.api.sendMessage({ chat_id, text: 'the first' });
  await read(await ann.actor(), chat_id);
  for (let at = 0; at < 60; at += 1) await bob.api.sendMessage({ chat_id, text: textOf(at) });
  await ann.chat('Plans').getByLabel('60 unread').waitFor();
  return { ann, bob, chat_id, first };
}

const unreadOf = async (ann: Person, chat_id: string) =>
  (await (await ann.actor()).api.getChat({ chat_id })).unread_count;

const isInView = (ann: Person, text: string) =>
  ann.message(text).evaluate((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    const frame = row.closest('[role=log]')?.getBoundingClientRect();
    return frame !== undefined && top >= frame.top && bottom <= frame.bottom;
  });

inChromium('WEB-231: counters and the mention badge fall while one reads', async () => {
  await withStage(async (stage) => {
    const { ann, chat_id } = await withUnread(stage, (at) =>
      at === 1 || at === 59 ? `@ann, look at ${at}` : `line ${at}`,
    );
    await ann.chat('Plans').getByRole('img', { name: '2 mentions' }).waitFor();
    await stage.picture('mentions-list', ann.page);
    expect(await findings(ann.page)).toEqual([]);
    await ann.openChat('Plans');
    await ann.message('look at 1').waitFor();
    // What is in view is read, what is below it is not.
    await ann.chat('Plans').getByRole('img', { name: '1 mention' }).waitFor();
    await expect.poll(async () => unreadOf(ann, chat_id)).toBeLessThan(59);
    const opened = await unreadOf(ann, chat_id);
    expect(opened).toBeGreaterThan(20);
    await ann.chat('Plans').getByLabel(`${opened} unread`).waitFor();
    // The line stays where it was.
    expect(await ann.page.locator('[data-first-unread]').count()).toBe(1);
    await ann.timeline.hover();
    await ann.page.mouse.wheel(0, 500);
    await expect.poll(async () => unreadOf(ann, chat_id)).toBeLessThan(opened);
    expect(await unreadOf(ann, chat_id)).toBeGreaterThan(0);
    await ann.page.getByRole('button', { name: 'Jump to latest' }).click();
    await ann.message('look at 59').waitFor();
    await ann.chat('Plans').getByLabel('unread').waitFor({ state: 'detached' });
    await expect.poll(async () => unreadOf(ann, chat_id)).toBe(0);
    expect(await ann.chat('Plans').getByLabel('mention').count()).toBe(0);
  });
});

inChromium('a button leads to the next unread mention, also in a thread', async () => {
  await withStage(async (stage) => {
    const { ann, bob, chat_id, first } = await withUnread(stage, (at) =>
      at === 40 ? '@ann, look at this' : `line ${at}`,
    );
    await bob.api.sendMessage({ chat_id, text: '@ann, and here', thread_root_id: first });
    await ann.openChat('Plans');
    const next = ann.page.getByRole('button', { name: 'Jump to next mention' });
    await next.getByText('2').waitFor();
    await stage.picture('mentions-button', ann.page);
    expect(await findings(ann.page)).toEqual([]);
    await next.click();
    await ann.message('look at this').waitFor();
    await expect.poll(async () => isInView(ann, 'look at this')).toBe(true);
    await ann.chat('Plans').getByRole('img', { name: '1 mention' }).waitFor();
    await next.click();
    await ann.page.locator('[data-message]', { hasText: 'and here' }).waitFor();
    expect(new URL(ann.page.url()).pathname).toContain(`/thread/${first}`);
  });
});

inChromium('an own message has one tick, and two once the other person has read it', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await ann.open(chat_id);
    await ann.say('lunch at noon?');
    const lunch = ann.message('lunch at noon?');
    await lunch.getByRole('img', { name: 'Sent', exact: true }).waitFor();
    expect(await ann.message('hello').getByRole('img', { name: 'Sent' }).count()).toBe(0);
    await read(bob, chat_id);
    await lunch.getByRole('img', { name: 'Read', exact: true }).waitFor();
    await ann.say('or at one?');
    await ann.message('or at one?').getByRole('img', { name: 'Sent', exact: true }).waitFor();
    await stage.picture('ticks', ann.page);
    expect(await findings(ann.page)).toEqual([]);

    // Without receipts of her own she sees none, on this page after its next load.
    await (await ann.actor()).api.setPrivacy({ read_receipts: false });
    await ann.page.reload();
    await lunch.getByRole('img', { name: 'Sent', exact: true }).waitFor();
    await ann.open((await (await ann.actor()).api.startChat({ username: 'ann' })).id);
    await ann.say('to myself');
    expect(await ann.message('to myself').getByRole('img').count()).toBe(0);
  });
});

inChromium('in a group the ticks open the list of who has read the message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', phone);
    const { bob, cid, dan } = await stage.world.people('bob', 'cid', 'dan');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann', 'cid', 'dan'], title: 'Plans' });
    await (await ann.actor()).api.sendMessage({ chat_id, text: 'lunch at noon?' });
    await ann.open(chat_id);
    for (const actor of [bob, cid]) await read(actor, chat_id);
    const seen = ann.message('lunch at noon?').getByRole('button', { name: 'Read. See who has read it' });
    await seen.waitFor();
    await stage.picture('ticks-phone', ann.page);
    await seen.tap();
    const dialog = ann.page.getByRole('dialog', { name: 'Seen by 2' });
    await dialog.getByText('@bob').waitFor();
    await dialog.getByText('@cid').waitFor();
    expect(await dialog.getByRole('listitem').count()).toBe(2);
    await stage.picture('seen-by-phone', ann.page);
    expect(await findings(ann.page)).toEqual([]);
    await ann.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => seen.evaluate((button) => button === document.activeElement)).toBe(true);
    await read(dan, chat_id);
    await ann.page.keyboard.press('Enter');
    await ann.page.getByRole('dialog', { name: 'Seen by 3' }).getByText('@dan').waitFor();
  });
});

inChromium('what a person shares is one setting on all devices', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const tab = await ann.tab();
    for (const { page } of [ann, tab]) await page.goto(new URL('/settings/privacy', page.url()).href);
    const switchOf = ({ page }: Person) => page.getByRole('switch', { name: 'Read receipts' });
    for (const one of [ann, tab]) await expect.poll(async () => switchOf(one).isChecked()).toBe(true);
    await switchOf(ann).click();
    for (const one of [ann, tab]) await expect.poll(async () => switchOf(one).isChecked()).toBe(false);
    await expect.poll(async () => (await ann.actor()).api.getPrivacy()).toMatchObject({ read_receipts: false });
    await stage.picture('privacy', ann.page);
    expect(await findings(ann.page)).toEqual([]);
  });
});
