import { gzipSync } from 'node:zlib';
import type { Request } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { fingerOf } from '../setup/finger.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { Visitor, withShop } from './widget-stage.ts';

const phone = { viewport: { width: 390, height: 800 } };

for (const theme of ['light', 'dark'] as const)
  inChromium(`WIDGET-9, WIDGET-10: axe finds nothing serious in the widget and on its page, ${theme}`, async () => {
    await withShop(async ({ stage, agent, visit }) => {
      // The page follows the device; data-theme decides.
      const colorScheme = theme === 'light' ? 'dark' : 'light';
      const ann = await visit({ chat: agent.username, theme, accent: '#e0a100' }, { colorScheme });
      const { page } = ann;
      await ann.button.waitFor();
      expect(await findings(page)).toEqual([]);
      await ann.open();
      const [chat] = (await agent.api.getChats()).items;
      await ann.say('Do you have **red** ones?', 'Do you have red ones?');
      await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'Yes: `R-1` and [more](https://example.com).' });
      await ann.message('R-1').waitFor();
      await stage.picture(`widget-${theme}`, page);
      const frame = page.frames().find((one) => one.url().includes('/widget'));
      if (!frame) throw new Error('the widget has no frame');
      expect(await findings(frame)).toEqual([]);
      const background = await frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(background).toBe(theme === 'light' ? 'rgb(247, 245, 241)' : 'rgb(23, 24, 21)');
      await ann.message('R-1').hover();
      await ann.message('R-1').getByRole('button', { name: 'More' }).click();
      await ann.frame.getByRole('menuitem').first().waitFor();
      expect(await findings(frame)).toEqual([]);
      await stage.picture(`widget-menu-${theme}`, page);
    });
  });

inChromium('WIDGET-1, WIDGET-10: the page’s console says what is wrong with the script’s element', async () => {
  await withShop(async ({ stage, agent, visit }) => {
    stage.watch.expect(/Parley: data-accent/, /Parley: the script/);
    const said: string[] = [];
    const ann = await visit({ chat: agent.username });
    ann.page.on('console', (message) => said.push(message.text()));
    const script = await (await fetch(`${stage.world.url}/widget.js`)).text();
    // As in a module.
    await ann.page.evaluate(script);
    await ann.page.evaluate((address) => {
      const element = document.createElement('script');
      element.src = address;
      Object.assign(element.dataset, { chat: 'helper', accent: 'blue' });
      document.head.append(element);
    }, `${stage.world.url}/widget.js`);
    await expect.poll(() => said).toHaveLength(2);
    expect(said[0]).toBe('Parley: the script must be a classic one, without type="module"');
    expect(said[1]).toContain('Parley: data-accent is not #rrggbb');
  });
});

inChromium('WIDGET-9: on a phone the open widget covers the page and is closed from within', async () => {
  await withShop(async ({ stage, site, visit }) => {
    const ann = await visit(undefined, { ...phone, hasTouch: true, isMobile: true });
    await ann.button.waitFor();
    await stage.picture('widget-phone-closed', ann.page);
    const length = await ann.page.evaluate(() => history.length);
    await ann.open();
    await ann.say('Hello');
    expect(await ann.page.locator('iframe').boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    expect(await ann.button.isVisible()).toBe(false);
    await stage.picture('widget-phone', ann.page);
    // It is modal: nothing behind it has the focus or is read aloud.
    const isInert = async () => ann.page.locator('h1').evaluate((element) => element.closest('[inert]') !== null);
    const panel = ann.page.getByRole('dialog', { name: 'Chat' });
    expect([await isInert(), await panel.getAttribute('aria-modal')]).toEqual([true, 'true']);
    await ann.page.setViewportSize({ width: 800, height: 800 });
    await expect.poll(isInert).toBe(false);
    await ann.page.setViewportSize(phone.viewport);
    await expect.poll(isInert).toBe(true);
    // Back belongs to the page: sheets, dialogs and threads add nothing to its history (WIDGET-12).
    const finger = fingerOf(await ann.page.context().newCDPSession(ann.page));
    await finger.down(ann.message('Hello').locator('[data-text]'));
    await ann.frame.getByRole('dialog', { name: 'Message' }).waitFor();
    await finger.up();
    await ann.frame.getByRole('button', { name: 'Reply in thread' }).click();
    await ann.frame.getByRole('heading', { name: 'Thread' }).waitFor();
    await stage.picture('widget-phone-thread', ann.page);
    expect(await ann.page.evaluate(() => history.length)).toBe(length);
    await ann.frame.getByRole('button', { name: 'Close the thread' }).click();
    await ann.frame.getByRole('button', { name: 'Close chat' }).click();
    await ann.button.waitFor();
    expect(await ann.page.locator('iframe').isVisible()).toBe(false);
    expect(await isInert()).toBe(false);

    // Also where there is no conversation.
    stage.watch.expect(/status of 500/, /Parley: window\.parleyToken failed/);
    site.token = () => Promise.reject(new Error('the backend is down'));
    await ann.page.reload();
    await ann.button.click();
    await ann.frame.getByRole('alert').waitFor();
    await stage.picture('widget-phone-no-token', ann.page);
    await ann.frame.getByRole('button', { name: 'Close chat' }).click();
    await ann.button.waitFor();
  });
});

inChromium('WIDGET-9: if something in the chat cannot be shown, the panel is closed and opened as ever', async () => {
  await withShop(async ({ stage, agent, visit }) => {
    const ann = await visit(undefined, phone);
    await ann.open();
    await ann.say('Do you have a photo?');
    const [chat] = (await agent.api.getChats()).items;
    const { id } = await agent.api.uploadFile({
      file: new File([Uint8Array.from(smallPhoto('red.png').buffer)], 'red.png'),
    });
    await agent.api.sendMessage({ chat_id: chat?.id ?? '', text: 'Here it is', attachments: [{ id }] });
    stage.watch.expect(/photo-viewer/, /Failed to (?:load|fetch)/, /ERR_FAILED/);
    await ann.page.route('**/assets/photo-viewer*.js', (route) => route.abort());
    await ann.frame.getByRole('button', { name: 'Show red.png' }).click();
    await ann.frame.getByText('Something went wrong here.').waitFor();
    await stage.picture('widget-failed', ann.page);
    await ann.frame.getByRole('button', { name: 'Close chat' }).click();
    await ann.open();
    await ann.say('Thank you');
  });
});

inChromium('WIDGET-11: what a limited session may not do is not offered', async () => {
  await withShop(async ({ site, backend, owner, visit }) => {
    const { id: chat_id } = await owner.api.startChat({ usernames: [], title: 'Support' });
    site.token = () => backend.createToken('ann', { chat_ids: [chat_id] });
    const ann = await visit({ chat: chat_id });
    await ann.open();
    await ann.say('Hello @owner', 'Hello');
    await ann.message('Hello').hover();
    await ann.message('Hello').getByRole('button', { name: 'More' }).click();
    const items = ann.frame.getByRole('menuitem');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual(['Reply in thread', 'Edit', 'Copy text', 'Select', 'Delete']);
    await items.filter({ hasText: 'Select' }).click();
    const bar = ann.frame.getByRole('toolbar', { name: 'Selected messages' });
    await bar.getByRole('button', { name: 'Copy' }).waitFor();
    expect(await bar.getByRole('button', { name: 'Forward' }).count()).toBe(0);
    await bar.getByRole('button', { name: 'Cancel' }).click();
    await ann.message('Hello').getByRole('button', { name: '@owner' }).click();
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual(['Copy username']);
    await ann.page.keyboard.press('Escape');
    await ann.composer.fill('later');
    expect(await ann.frame.getByRole('button', { name: 'Send later' }).count()).toBe(0);
    await ann.composer.fill('/');
    await ann.frame.getByRole('option').first().waitFor();
    expect(await ann.frame.getByRole('option').count()).toBe(1);
    await ann.frame.getByRole('option', { name: '/mute' }).waitFor();
  });
});

inChromium('WIDGET-12: the widget works where the browser refuses its frame every storage', async () => {
  await withShop(async ({ site, visit }) => {
    const ann = await visit();
    await ann.button.waitFor();
    await ann.page.addInitScript(() => {
      const refuse = {
        get: () => {
          throw new DOMException('Access is denied', 'SecurityError');
        },
      };
      if (window !== top)
        for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) Object.defineProperty(window, name, refuse);
    });
    await ann.page.goto(site.origin);
    await ann.open();
    await ann.say('Hello');
    await ann.frame.getByRole('button', { name: 'Emoji' }).click();
    await ann.frame.getByRole('button', { name: '🎉' }).first().click();
    expect(await ann.composer.inputValue()).toContain('🎉');
  });
});

inChromium('WIDGET-13: the script is under 3 kB, and the frame loads less than the app', async () => {
  await withShop(async ({ stage, site, agent }) => {
    const script = await (await fetch(`${stage.world.url}/widget.js`)).arrayBuffer();
    expect(gzipSync(script).length).toBeLessThan(3_000);
    const scripts: Request[] = [];
    // A new browser with an empty cache, at first without the widget.
    const { page } = await stage.browser({ url: site.origin });
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script' && request.frame() !== page.mainFrame()) scripts.push(request);
    });
    site.embed(stage.world.url, { chat: agent.username });
    await page.reload();
    await new Visitor(page).open();
    const sizes = await Promise.all(scripts.map(async (script) => script.sizes()));
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(230_000);
    expect(sizes.length).toBeLessThanOrEqual(12);
  });
});
