import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

/** Bob has sent photos in a group with Ann: one, three in one message, and one. */
async function photos(stage: Stage, options: Parameters<Stage['person']>[1] = {}) {
  const ann = await stage.person('ann', options);
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Trip' });
  const send = async (text: string, ...names: string[]) => {
    const attachments: { id: string }[] = [];
    for (const [at, name] of names.entries()) {
      const { buffer } = smallPhoto(name, 40 * (at + 1));
      attachments.push({ id: (await bob.api.uploadFile({ file: new File([Uint8Array.from(buffer)], name) })).id });
    }
    return bob.api.sendMessage({ chat_id, text, attachments });
  };
  const first = await send('the first', 'a.png');
  await send('between', 'b.png', 'c.png', 'd.png');
  await send('the last', 'e.png');
  await ann.open(chat_id);
  const viewer = ann.page.locator('[data-viewer]');
  const shows = async (name: string) => ann.page.getByRole('dialog', { name, exact: true }).waitFor();
  return { ann, bob, page: ann.page, chat_id, first, send, viewer, shows };
}

const zoomOf = async (page: Page) => Number(await page.locator('[data-zoom]').getAttribute('data-zoom'));

inChromium('WEB-260: the viewer leads through all photos of the conversation with the arrow keys', async () => {
  await withStage(async (stage) => {
    const { ann, page, viewer, shows, send } = await photos(stage);
    const opener = page.getByRole('button', { name: 'Show c.png' });
    await opener.click();
    await shows('c.png');
    await viewer.getByRole('status').filter({ hasText: 'c.png, Bob' }).waitFor();
    await stage.picture('viewer-light', page);
    for (const [key, name] of [
      ['ArrowRight', 'd.png'],
      ['ArrowRight', 'e.png'],
      ['ArrowLeft', 'd.png'],
      ['ArrowLeft', 'c.png'],
      ['ArrowLeft', 'b.png'],
      ['ArrowLeft', 'a.png'],
    ] as const) {
      // The neighbour's message may still load.
      await viewer.getByRole('button', { name: key === 'ArrowRight' ? 'Next' : 'Previous' }).waitFor();
      await page.keyboard.press(key);
      await shows(name);
    }
    expect(await viewer.getByRole('button', { name: 'Previous' }).count()).toBe(0);
    await viewer.getByRole('button', { name: 'Next' }).click();
    await shows('b.png');
    expect(await findings(page)).toEqual([]);
    // Messages that arrive meanwhile take nothing away.
    await send('more', 'f.png');
    await ann.message('more').waitFor({ state: 'attached' });
    await shows('b.png');
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await expect.poll(async () => opener.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});

inChromium('WEB-260: older and newer photos load as the reader approaches them', async () => {
  await withStage(async (stage) => {
    const { bob, page, chat_id, viewer, shows } = await photos(stage);
    const { buffer } = smallPhoto('many.png');
    const { id } = await bob.api.uploadFile({ file: new File([Uint8Array.from(buffer)], 'many.png') });
    for (let at = 0; at < 35; at += 1) await bob.api.sendMessage({ chat_id, text: `${at}`, attachments: [{ id }] });
    await page.getByRole('button', { name: 'Show many.png' }).last().click();
    await shows('many.png');
    const isFirst = async () => (await page.getByRole('dialog', { name: 'a.png' }).count()) === 1;
    for (let at = 0; at < 60 && !(await isFirst()); at += 1) {
      await viewer.getByRole('button', { name: 'Previous' }).waitFor();
      await page.keyboard.press('ArrowLeft');
    }
    await shows('a.png');
  });
});

inChromium('a photo is zoomed by keys, wheel, double click and buttons, and moved by dragging', async () => {
  await withStage(async (stage) => {
    const { page, viewer, shows } = await photos(stage);
    await page.getByRole('button', { name: 'Show c.png' }).click();
    await shows('c.png');
    const zoom = () => zoomOf(page);
    const isAt = async (scale: number) => {
      await expect.poll(zoom).toBeCloseTo(scale);
    };
    await page.keyboard.press('+');
    await isAt(1.5);
    await page.keyboard.press('-');
    await isAt(1);
    await viewer.getByRole('button', { name: 'Zoom in' }).click();
    await isAt(1.5);
    await page.keyboard.press('0');
    await isAt(1);
    await page.mouse.move(600, 400);
    await page.mouse.wheel(0, -300);
    await expect.poll(zoom).toBeGreaterThan(1.5);
    await page.mouse.dblclick(600, 400);
    await isAt(1);
    await page.mouse.dblclick(700, 400);
    await isAt(2.5);
    const place = async () => page.locator('[data-zoom]').evaluate((photo) => photo.style.transform);
    const before = await place();
    await page.mouse.down();
    await page.mouse.move(600, 350, { steps: 3 });
    await page.mouse.up();
    expect(await place()).not.toBe(before);
    // The next photo is whole again.
    await page.keyboard.press('ArrowRight');
    await shows('d.png');
    await isAt(1);
  });
});

inChromium('a photo is downloaded, and found in the chat, from the viewer', async () => {
  await withStage(async (stage) => {
    const { page, viewer, shows, first } = await photos(stage);
    await page.getByRole('button', { name: 'Show a.png' }).click();
    await shows('a.png');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('a.png');
    await viewer.getByRole('button', { name: 'Show in chat' }).click();
    await viewer.waitFor({ state: 'detached' });
    await page.locator(`[data-message="${first.id}"]`).waitFor();
  });
});

inChromium('on a phone a swipe leads to the next photo, two fingers zoom, and Back closes the viewer', async () => {
  await withStage(async (stage) => {
    const { page, viewer, shows, chat_id } = await photos(stage, phone);
    await page.getByRole('button', { name: 'Show c.png' }).tap();
    await shows('c.png');
    await stage.picture('viewer-phone', page);
    const touch = await page.context().newCDPSession(page);
    const fingers = async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [x: number, y: number][]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    await fingers('touchStart', [300, 400]);
    for (const x of [250, 200, 150]) await fingers('touchMove', [x, 400]);
    await fingers('touchEnd');
    await shows('d.png');
    await fingers('touchStart', [180, 400], [210, 400]);
    for (const by of [20, 40, 80]) await fingers('touchMove', [180 - by, 400], [210 + by, 400]);
    await fingers('touchEnd');
    await expect.poll(async () => zoomOf(page)).toBeGreaterThan(2);
    await shows('d.png');
    await page.goBack();
    await viewer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/chat/${chat_id}`);
  });
});

inChromium('several photos stand in full rows, at their final size before they load', async () => {
  await withStage(async (stage) => {
    const { ann, page, send } = await photos(stage);
    await send('five', 'v.png', 'w.png', 'x.png', 'y.png', 'z.png');
    const tiles = ann.message('five').getByRole('button', { name: /^Show .\.png/ });
    await tiles.nth(4).waitFor();
    await stage.picture('photo-grid', page);
    const boxes = await tiles.evaluateAll((all) =>
      all.map((tile) => tile.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })),
    );
    const rows = Map.groupBy(boxes, ({ y }) => Math.round(y));
    expect([...rows.values()].map((row) => row.length)).toEqual([2, 3]);
    const ends = [...rows.values()].map((row) => Math.max(...row.map(({ x, width }) => Math.round(x + width))));
    expect(ends[0]).toBeCloseTo(ends[1] ?? 0, -0.5);
  });
});
