import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-10: on a phone list and conversation are separate screens, Back switches between them, nothing overflows',
  async () => {
    await withStage(async (stage) => {
      const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
      const ann = await stage.person('ann', phone);
      const bob = await stage.world.member('bob');
      const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
      await bob.api.sendMessage({ chat_id, text: 'Are you on your phone?' });
      const isFitting = () => ann.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
      await ann.chat('bob').waitFor();
      await stage.picture('phone-list', ann.page);
      expect(await ann.composer.isVisible()).toBe(false);
      await ann.chat('bob').tap();
      await ann.message('Are you on your phone?').waitFor();
      await ann.chats.waitFor({ state: 'hidden' });
      // On touch screens Enter starts a line, and the button sends.
      await ann.composer.fill('Yes');
      await ann.composer.press('Enter');
      await ann.composer.pressSequentially('I am');
      await ann.page.getByRole('button', { name: 'Send', exact: true }).tap();
      await ann.message('I am').and(ann.page.locator('[data-status=complete]')).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-chat', ann.page);

      await ann.page.getByRole('button', { name: 'Details' }).tap();
      await ann.page.getByRole('dialog', { name: 'Details' }).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-details', ann.page);
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Close' }).tap();

      await ann.page.getByRole('button', { name: 'All conversations' }).tap();
      await ann.chats.waitFor();
      await ann.composer.waitFor({ state: 'detached' });
      await ann.page.goBack();
      await ann.message('I am').waitFor();
      await ann.page.goBack();
      await ann.chats.waitFor();

      await ann.page.getByRole('button', { name: 'Menu' }).tap();
      await ann.page.getByRole('menuitem', { name: 'Settings' }).tap();
      await ann.page.getByRole('heading', { name: 'Settings' }).waitFor();
      expect(await isFitting()).toBe(true);
      await stage.picture('phone-settings', ann.page);
      await ann.page.getByRole('button', { name: 'All conversations' }).tap();
      await ann.chats.waitFor();
      expect((await bob.api.getChatHistory({ chat_id })).items.at(-1)).toMatchObject({ content: 'Yes\nI am' });
    });
  },
);

inChromium('WEB-407: what a finger presses is at least 44 pixels high', async () => {
  await withStage(async (stage) => {
    const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };
    const visitor = await stage.browser(phone);
    await visitor.page.getByRole('button', { name: 'Sign in' }).waitFor();
    const small = new Set(await smallTargets(visitor.page));
    const ann = await stage.person('ann', phone);
    const bob = await stage.world.member('bob');
    const { api } = await ann.actor();
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id } = await bob.api.sendMessage({ chat_id, text: 'hello' });
    await api.setMessageReaction({ message_id: id, emoji: '👍' });
    await bob.api.sendMessage({ chat_id, text: 'an answer', reply_to_message_id: id });
    await bob.api.pinMessage({ chat_id, message_id: id });
    await ann.page.getByRole('link', { name: /Plans/ }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    await ann.open(chat_id);
    await ann.message('an answer').waitFor();
    await ann.message('hello').getByRole('button', { name: /👍/ }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    await ann.page.goto(`${stage.world.url}/settings/profile`);
    await ann.page.getByRole('button', { name: 'Save status' }).waitFor();
    for (const target of await smallTargets(ann.page)) small.add(target);
    expect([...small]).toEqual([]);
  });
});

/** The controls in view that a finger 21 pixels above or below their middle misses. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll('button, select, input:not([type=file]), textarea, nav a, [role=tab]');
    return [...controls]
      .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        const middle = y + height / 2;
        const isWithin = width > 1 && x >= 0 && x + width <= innerWidth && middle > 30 && middle < innerHeight - 30;
        const at = (down: number) =>
          document.elementFromPoint(x + width / 2, middle + down)?.closest('button, a, input, select, textarea, label');
        // Something else lies over it, such as a notice over a part of it.
        const notices = document.querySelector('section[aria-live]');
        const under = notices?.contains(control) ? undefined : notices?.getBoundingClientRect();
        const isUnder = under !== undefined && under.height > 0 && y < under.bottom && y + height > under.top;
        if (!isWithin || isUnder || at(0) !== control) return false;
        return at(-21) !== control || at(21) !== control;
      })
      .map(
        (control) =>
          `${control.getAttribute('aria-label') ?? control.textContent} ${control.getBoundingClientRect().height}`,
      );
  });

inChromium('WEB-420: what is read or pressed does not lie behind the bars of a phone', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const { page } = ann;
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    const { id } = await bob.api.sendMessage({ chat_id, text: 'hello' });
    const bars = await ann.context.newCDPSession(page);
    await bars.send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } });
    /** The places between which the controls of the screen, or of an element in it, stand. */
    const reach = async (within = 'body') =>
      page.locator(`${within} :is(button, textarea, nav a)`).evaluateAll((all) => {
        const seen = all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 1);
        const boxes = seen.map((one) => one.getBoundingClientRect()).filter(({ top }) => top < innerHeight);
        return { top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
      });
    const isBetween = {
      top: expect.toSatisfy((top: number) => top >= 47),
      bottom: expect.toSatisfy((y: number) => y <= 766),
    };
    await ann.chat('Plans').waitFor();
    expect(await reach()).toEqual(isBetween);
    await ann.open(chat_id);
    await ann.message('hello').waitFor();
    expect(await reach()).toEqual(isBetween);
    await stage.picture('phone-safe-chat', page);
    await page.getByRole('button', { name: 'Details' }).tap();
    await page.getByRole('dialog', { name: 'Details' }).waitFor();
    expect((await reach('[role=dialog]')).top).toBeGreaterThanOrEqual(47);
    await page.goto(`${stage.world.url}/chat/${chat_id}/thread/${id}`);
    await page.getByRole('button', { name: 'Close the thread' }).waitFor();
    expect(await reach()).toEqual(isBetween);
    await page.goto(`${stage.world.url}/settings/profile`);
    await page.getByRole('button', { name: 'Save status' }).waitFor();
    expect((await reach()).top).toBeGreaterThanOrEqual(47);
  });
});

inChromium('WEB-421: an on-screen keyboard that lies over the page covers neither header nor composer', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Plans' });
    await bob.api.sendMessage({ chat_id, text: 'hello' });
    await ann.open(chat_id);
    await ann.message('hello').waitFor();
    // As Safari reports its keyboard, which Chromium does not have.
    const leave = (height: number) =>
      ann.page.evaluate((height) => {
        Object.defineProperty(visualViewport, 'height', { value: height, configurable: true });
        visualViewport?.dispatchEvent(new Event('resize'));
      }, height);
    const bottom = () => ann.composer.evaluate((field) => field.getBoundingClientRect().bottom);
    await leave(420);
    expect(await bottom()).toBeLessThan(420);
    expect(await ann.message('hello').evaluate((row) => row.getBoundingClientRect().bottom)).toBeLessThan(420);
    expect(await ann.page.locator('main header').evaluate((head) => head.getBoundingClientRect().top)).toBe(0);
    // A bar of the browser is no keyboard.
    await leave(740);
    expect(await bottom()).toBeGreaterThan(740);
    await leave(800);
    expect(await bottom()).toBeGreaterThan(740);
    // A field whose text is smaller than 16 pixels would zoom the page; pulling the page down would reload it.
    const styles = await ann.page.evaluate(() => {
      document.documentElement.dataset['text'] = 'small';
      const field = document.querySelector('[data-composer=timeline] textarea') ?? document.body;
      const pulled = getComputedStyle(document.documentElement).overscrollBehaviorY;
      return { size: Number.parseFloat(getComputedStyle(field).fontSize), pulled };
    });
    expect(styles).toEqual({ size: 16, pulled: 'none' });
  });
});

inChromium('on a small phone three notices take at most a third of the screen', async () => {
  await withStage(async (stage) => {
    const small = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
    const ann = await stage.person('ann', small);
    const others = await Promise.all(['bob', 'carol', 'dave'].map((name) => stage.world.member(name)));
    const chats = await Promise.all(others.map(({ api }) => api.startChat({ username: 'ann' })));
    const toasts = ann.page.getByRole('region', { name: 'Alerts' });
    // The connection may be made after the page is shown, and what came before it is no news.
    await expect
      .poll(async () => {
        for (const [at, { api, username }] of others.entries())
          await api.sendMessage({ chat_id: chats[at]?.id ?? '', text: `A long message of ${username}, `.repeat(12) });
        return toasts.getByRole('button', { name: 'Close' }).count();
      })
      .toBe(3);
    // All of them are in view.
    const { y, height, hidden } = await toasts.evaluate((all) => {
      const { y, height } = all.getBoundingClientRect();
      return { y, height, hidden: all.scrollHeight - all.clientHeight };
    });
    expect(height).toBeLessThan(640 / 3);
    expect(hidden).toBe(0);
    expect(y).toBeGreaterThan(50);
    await stage.picture('phone-toasts', ann.page);
  });
});

inChromium('WEB-10: on the smallest phone an invite and the tabs of the details fit, also in Arabic', async () => {
  await withStage(async (stage) => {
    const small = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, locale: 'ar' };
    const ann = await stage.person('ann', small);
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ usernames: [], title: 'Open to all' });
    const { token } = await bob.api.createInvite({ chat_id });
    await ann.page.goto(`${stage.world.url}/join/${token}`);
    const buttons = ann.page.locator('main button').filter({ visible: true });
    await buttons.first().waitFor();
    const outside = await buttons.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect()).filter(({ left, right }) => left < 0 || right > innerWidth),
    );
    expect(outside).toEqual([]);
    await buttons.last().tap();
    await ann.composer.waitFor();
    await ann.page.locator('main header button').last().tap();
    const tabs = ann.page.getByRole('tablist');
    await tabs.waitFor();
    expect(await tabs.evaluate((row) => row.scrollWidth - row.clientWidth)).toBeLessThanOrEqual(0);
    await stage.picture('phone-small-details', ann.page);
  });
});
