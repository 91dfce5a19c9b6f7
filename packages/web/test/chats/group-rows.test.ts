import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { fingerOf } from '../setup/finger.ts';
import { type Stage, withStage } from '../setup/stage.ts';

/** A group with two channels; in one of them Bob has mentioned Ann, and he has replied in a thread of hers. */
async function scene(stage: Stage, options = {}) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
  const own = await api.sendMessage({ chat_id, text: 'who comes along?' });
  const news = await bob.api.createChannel({ chat_id, title: 'news' });
  const food = await bob.api.createChannel({ chat_id, title: 'food' });
  await bob.api.sendMessage({ chat_id, channel_id: food.id, text: '@ann bring bread' });
  await bob.api.sendMessage({ chat_id, channel_id: food.id, text: 'and butter' });
  await bob.api.sendMessage({ chat_id, text: 'about tickets', thread_root_id: own.id });
  await api.saveDraft({ chat_id, channel_id: news.id, text: 'not yet' });
  const { page } = ann;
  const fold = page.getByRole('button', { name: 'Channels and threads of Plans' });
  // Not by the list's name: the app may be in another language.
  const rows = page.locator('[data-list-row*="|"]');
  const texts = async () => (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  return { ann, api, bob, page, chat_id, own, news, food, fold, rows, texts };
}

inChromium('WEB-520: a group unfolds to its channels and threads with news', async () => {
  await withStage(async (stage) => {
    const { ann, api, bob, page, chat_id, food, fold, rows, texts } = await scene(stage);
    await fold.waitFor();
    expect(await rows.count()).toBe(0);
    await fold.click();
    await expect.poll(texts).toEqual(['Ann: who comes along?', 'news', 'food @ 2']);
    const [thread, news, foodRow] = [rows.nth(0), rows.nth(1), rows.nth(2)];
    await thread.getByRole('img', { name: 'Unread' }).waitFor();
    await news.getByRole('img', { name: 'Draft' }).waitFor();
    const weightOf = (index: number) => rows.nth(index).evaluate((row) => Number(getComputedStyle(row).fontWeight));
    expect(await weightOf(2)).toBeGreaterThan(await weightOf(1));
    expect(await findings(page)).toEqual([]);
    await stage.picture('group-rows', page);

    // The open one is marked, and what comes there is read.
    await foodRow.click();
    await expect.poll(() => page.url()).toContain(food.id);
    await expect.poll(async () => foodRow.getAttribute('aria-current')).toBe('page');
    expect(await ann.chat('Plans').first().getAttribute('aria-current')).toBeNull();
    await expect.poll(texts).toEqual(['Ann: who comes along?', 'news', 'food']);
    await bob.api.sendMessage({ chat_id, channel_id: food.id, text: 'and jam' });
    await ann.message('and jam').waitFor();

    // A new channel appears, a deleted one goes.
    const { id: channel_id } = await bob.api.createChannel({ chat_id, title: 'songs' });
    await expect.poll(texts).toEqual(['Ann: who comes along?', 'news', 'food', 'songs']);
    await bob.api.deleteChannel({ chat_id, channel_id });
    await expect.poll(texts).toEqual(['Ann: who comes along?', 'news', 'food']);
    await api.setChatNotifications({ chat_id, is_muted: true });
    await ann.chat('Plans').first().getByLabel('muted').waitFor();

    // The device remembers it.
    await page.reload();
    await expect.poll(async () => rows.count()).toBe(3);
    await fold.click();
    await expect.poll(async () => rows.count()).toBe(0);
    await expect.poll(async () => ann.chat('Plans').getAttribute('aria-current')).toBe('page');
  });
});

inChromium('WEB-521: the list is one stop of Tab, and arrow keys go through it as through a tree', async () => {
  await withStage(async (stage) => {
    const { ann, page, rows } = await scene(stage);
    const { keyboard } = page;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await ann.chat('Plans').focus();
    await keyboard.press('ArrowRight');
    await expect.poll(async () => rows.count()).toBe(3);
    await keyboard.press('ArrowRight');
    await expect.poll(focused).toContain('who comes along?');
    await keyboard.press('ArrowDown');
    await expect.poll(focused).toContain('news');
    await keyboard.press('Enter');
    await ann.composer.waitFor();
    await rows.nth(1).focus();
    await keyboard.press('ArrowLeft');
    await expect.poll(focused).toContain('Plans');
    await keyboard.press('ArrowLeft');
    await expect.poll(async () => rows.count()).toBe(0);
    await keyboard.press('End');
    await expect.poll(focused).toContain('Parley guide');
    await keyboard.press('Home');
    await expect.poll(focused).toContain('Plans');
    // One stop, beside the button of its row.
    expect(await ann.chats.locator('[data-list-row][tabindex="0"]').count()).toBe(1);
    await keyboard.press('Tab');
    await expect
      .poll(async () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Actions for Plans');
  });
});

inChromium('WEB-522: the edge of the list makes it wider and narrower, and the device remembers it', async () => {
  await withStage(async (stage) => {
    const { ann, page } = await scene(stage);
    const edge = page.getByRole('separator', { name: 'Width of the list' });
    await edge.waitFor();
    const width = () =>
      page
        .locator('aside')
        .first()
        .evaluate((side) => side.getBoundingClientRect().width);
    const valueNow = async () => Number(await edge.getAttribute('aria-valuenow'));
    expect(await width()).toBe(330);
    const dragTo = async (x: number) => {
      const box = await edge.boundingBox();
      if (!box) throw new Error('no edge');
      await page.mouse.move(box.x + box.width / 2, 300);
      await page.mouse.down();
      await page.mouse.move(x, 300, { steps: 4 });
      await page.mouse.up();
    };
    await dragTo(420);
    await expect.poll(width).toBe(420);
    await expect.poll(valueNow).toBe(420);
    await dragTo(900);
    await expect.poll(width).toBe(480);
    await dragTo(10);
    await expect.poll(width).toBe(240);
    await edge.press('ArrowRight');
    await expect.poll(width).toBe(256);
    await edge.press('ArrowLeft');
    await edge.press('End');
    await expect.poll(width).toBe(480);
    await page.reload();
    await expect.poll(width).toBe(480);
    await stage.picture('side-wide', page);
    await edge.dblclick();
    await expect.poll(width).toBe(330);
    await page.reload();
    await expect.poll(width).toBe(330);
    // A phone has no room for an edge.
    await page.setViewportSize({ width: 390, height: 844 });
    await edge.waitFor({ state: 'detached' }).catch(() => edge.waitFor({ state: 'hidden' }));
    await ann.chat('Plans').waitFor();
    await stage.picture('group-rows-phone', page);
  });
});

inChromium('WEB-522: from right to left the edge is on the other side of the list', async () => {
  await withStage(async (stage) => {
    const { page, fold, rows } = await scene(stage, { locale: 'ar' });
    await page.getByRole('separator').waitFor();
    const width = () =>
      page
        .locator('aside')
        .first()
        .evaluate((side) => side.getBoundingClientRect().width);
    const edge = page.getByRole('separator');
    await edge.press('ArrowLeft');
    await expect.poll(width).toBe(346);
    await edge.press('ArrowRight');
    await expect.poll(width).toBe(330);
    const box = await edge.boundingBox();
    if (!box) throw new Error('no edge');
    await page.mouse.move(box.x + box.width / 2, 300);
    await page.mouse.down();
    await page.mouse.move(1_200 - 400, 300, { steps: 4 });
    await page.mouse.up();
    await expect.poll(width).toBe(400);
    expect(await fold.count()).toBe(0);
    await page.locator('[data-list-row]').filter({ hasText: 'Plans' }).first().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(async () => rows.count()).toBe(3);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await findings(page)).toEqual([]);
    await stage.picture('group-rows-ar-dark', page);
  });
});

inChromium('WEB-523: a new member sees at the group’s beginning what it is about', async () => {
  await withStage(async (stage) => {
    const owner = await stage.person('cleo');
    const { api } = await owner.actor();
    await stage.world.member('bob');
    const { id: chat_id } = await api.startChat({ usernames: ['bob'], title: 'Garden' });
    await api.setChatDescription({ chat_id, description: 'Who waters what, and when.' });
    const { token } = await api.createInvite({ chat_id });
    const about = (who: typeof owner) => who.page.getByRole('region', { name: 'About this group' });

    // An empty group.
    await owner.chat('Garden').click();
    await about(owner).getByText('Who waters what, and when.').waitFor();
    await owner.page.getByRole('button', { name: 'Invite people' }).first().waitFor();
    await owner.page.locator('header').getByRole('button', { name: 'Invite people' }).click();
    await owner.page.getByRole('dialog', { name: 'Invite people' }).waitFor();
    await owner.page.keyboard.press('Escape');

    const ann = await stage.person('ann');
    await (await ann.actor()).api.joinChat({ token });
    await ann.chat('Garden').click();
    await about(ann).getByText('Who waters what, and when.').waitFor();
    await about(ann).getByText('Owner: cleo').waitFor();
    await about(ann).getByText('People: ann and bob').or(about(ann).getByText('People: bob and ann')).waitFor();
    expect(await about(ann).getByRole('button').count()).toBe(0);
    await ann.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' });
    expect(await findings(ann.page)).toEqual([]);
    await stage.picture('group-intro', ann.page);
    await about(owner).getByRole('button', { name: 'Invite people' }).click();
    await owner.page.getByRole('dialog', { name: 'Invite people' }).waitFor();
    await owner.page.keyboard.press('Escape');

    await ann.page.setViewportSize({ width: 390, height: 844 });
    await stage.picture('group-intro-phone', ann.page);
  });
});

inChromium(
  'WEB-523: what stands above the first message comes with it, so that nothing moves under a press',
  async () => {
    await withStage(async (stage) => {
      const bob = await stage.world.member('bob');
      const ann = await stage.person('ann');
      const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Garden' });
      await bob.api.sendMessage({ chat_id, text: 'hello' });
      // Whether the introduction was there when the first message appeared.
      await ann.page.addInitScript(() => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('[data-message]')) return;
          observer.disconnect();
          document.documentElement.dataset['introduced'] = String(
            document.querySelector('[aria-label="About this group"]') !== null,
          );
        });
        observer.observe(document, { childList: true, subtree: true });
      });
      await ann.page.reload();
      await ann.open(chat_id);
      await ann.message('hello').waitFor();
      expect(await ann.page.locator('html').getAttribute('data-introduced')).toBe('true');
    });
  },
);

inChromium('the filters of the list are not cut off in German and Japanese', async () => {
  await withStage(async (stage) => {
    for (const [username, locale] of [
      ['ann', 'de'],
      ['bob', 'ja'],
    ] as const) {
      const { page } = await stage.person(username, { locale });
      const filters = page.getByRole('toolbar').locator('div').first();
      await filters.waitFor();
      const hidden = await filters.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      expect({ locale, hidden }).toEqual({ locale, hidden: 0 });
      await stage.picture(`filters-${locale}`, page);
    }
  });
});

inChromium('WEB-741: a channel is muted in its menu in the list, and its counts become quiet', async () => {
  await withStage(async (stage) => {
    const { ann, api, bob, page, chat_id, food, fold, rows } = await scene(stage);
    await bob.api.sendMessage({ chat_id, channel_id: food.id, text: 'and salt' });
    await fold.click();
    const row = rows.nth(2);
    const channelOf = async () => (await api.getChat({ chat_id })).channels.find(({ id }) => id === food.id);
    const shade = (text: string) =>
      ann
        .chat('Plans')
        .first()
        .getByText(text, { exact: true })
        .evaluate((count) => getComputedStyle(count).backgroundColor);
    const loud = await shade('4');
    await row.click({ button: 'right' });
    await page.getByRole('menu', { name: 'Actions for #food' }).waitFor();
    await page.getByRole('menuitem', { name: 'Mute' }).click();
    await stage.picture('mute-channel', page);
    await page.getByRole('menuitem', { name: 'For 8 hours' }).click();
    await row.getByRole('img', { name: 'muted' }).waitFor();
    expect(await channelOf()).toMatchObject({ is_muted: true, muted_until: expect.stringMatching(/Z$/) });
    // The group counts what is not muted; with nothing else unread its count is quiet too.
    expect(await shade('1')).toBe(loud);
    await api.markRead({ chat_id, message_id: (await api.getChat({ chat_id })).last_message?.id ?? '' });
    await bob.api.sendMessage({ chat_id, channel_id: food.id, text: 'psst' });
    await expect.poll(() => shade('1')).not.toBe(loud);
    await stage.picture('muted-channel', page);
    // No toast about it, but one about what comes elsewhere.
    const { id: other } = await bob.api.startChat({ username: 'ann' });
    await bob.api.sendMessage({ chat_id: other, text: 'heard' });
    await page.getByRole('region', { name: 'Alerts' }).getByText('heard').waitFor();
    expect(await page.getByRole('region', { name: 'Alerts' }).getByText('psst').count()).toBe(0);

    await row.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Unmute' }).click();
    await expect.poll(async () => row.getByRole('img', { name: 'muted' }).count()).toBe(0);
    expect((await channelOf())?.is_muted).toBeUndefined();
    await expect.poll(() => shade('1')).toBe(loud);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium('WEB-741, WEB-745: on a phone a long press on a channel opens its menu, a sheet', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const options = { ...phone, locale: 'ar', colorScheme: 'dark' };
    const { ann, page, rows, chat_id, news, api } = await scene(stage, options);
    await page.locator(`[data-chat="${chat_id}"] button[aria-expanded]`).click();
    await api.setChatNotifications({ chat_id, channel_id: news.id, is_muted: true });
    await rows.nth(1).locator('.lucide-bell-off').waitFor();
    const finger = fingerOf(await ann.context.newCDPSession(page));
    await finger.down(rows.nth(1));
    await page.getByRole('menuitem').first().waitFor();
    await finger.up();
    await stage.picture('channel-menu-phone', page);
    const sheet = await page.getByRole('menu').boundingBox();
    expect([sheet?.x, sheet?.width, (sheet?.y ?? 0) + (sheet?.height ?? 0)]).toEqual([0, 390, 800]);
    await page.getByRole('menuitem').first().click();
    await rows.nth(1).locator('.lucide-bell-off').waitFor({ state: 'detached' });
  });
});
