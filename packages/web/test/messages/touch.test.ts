import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Finger, fingerOf } from '../setup/finger.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const code = `\`\`\`\n${'a very long line of code '.repeat(12)}\n\`\`\``;

interface Given {
  stage: Stage;
  ann: Person;
  finger: Finger;
}

/** Ann has a conversation with bob open on her phone. */
async function onPhone(work: (given: Given) => Promise<void>, options: { reducedMotion?: 'reduce' } = {}) {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { ...phone, ...options });
    const bob = await stage.world.member('bob');
    const { id: chat_id } = await bob.api.startChat({ username: 'ann' });
    for (const text of ['lunch at noon?', code, 'see you there']) await bob.api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    await ann.message('see you there').waitFor();
    await work({ stage, ann, finger: fingerOf(await ann.context.newCDPSession(ann.page)) });
  });
}

inChromium('a long press opens the actions of a message at the bottom edge', async () => {
  await onPhone(async ({ stage, ann, finger }) => {
    const { page } = ann;
    const sheet = page.getByRole('dialog', { name: 'Message' });
    const press = async () => {
      await finger.down(ann.message('lunch at noon?').locator('[data-text]'));
      await sheet.waitFor();
      await finger.up();
    };
    await press();
    // Lifting the finger presses nothing.
    await sheet.getByRole('button', { name: 'Copy text' }).waitFor();
    await stage.picture('touch-sheet', page);
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await sheet.getByRole('button', { name: 'Reply', exact: true }).tap();
    await sheet.waitFor({ state: 'detached' });
    await page.locator('[data-composing=reply]').waitFor();

    await press();
    await sheet.getByRole('button', { name: '👍' }).tap();
    await ann.message('lunch at noon?').getByRole('button', { name: /👍/ }).waitFor();

    await press();
    await sheet.getByRole('button', { name: 'Delete' }).tap();
    await page.getByRole('dialog', { name: 'Delete this message?' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await press();
    await sheet.getByRole('button', { name: 'Select' }).tap();
    const bar = page.getByRole('toolbar', { name: 'Selected messages' });
    await bar.getByText('1 selected').waitFor();
    await ann.message('see you there').tap();
    await bar.getByText('2 selected').waitFor();
    await stage.picture('touch-selection', page);
    for (const name of ['Copy', 'Forward', 'Delete'])
      expect((await bar.getByRole('button', { name }).boundingBox())?.x).toBeLessThan(346);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.goBack();
    await bar.waitFor({ state: 'detached' });
    await ann.message('lunch at noon?').waitFor();
  });
});

inChromium('a swipe towards the end edge replies; scrolls, short swipes and swipes in code do not', async () => {
  await onPhone(async ({ stage, ann, finger }) => {
    const reply = ann.page.locator('[data-composing=reply]');
    const swiped = ann.page.locator('[data-swipe]');
    const lunch = ann.message('lunch at noon?').locator('[data-text]');
    await finger.down(lunch);
    await finger.move(30);
    await ann.page.locator('[data-swipe=begun]').waitFor();
    await finger.up();
    await expect.poll(async () => swiped.count()).toBe(0);
    await finger.down(lunch);
    await finger.move(-80);
    await finger.up();
    await finger.down(lunch);
    await finger.move(20, -60);
    await finger.up();
    // In code the finger scrolls the code.
    const long = ann.message('a very long line').locator('pre').first();
    await finger.down(long);
    await finger.move(70);
    await finger.up();
    expect(await swiped.count()).toBe(0);
    expect(await reply.count()).toBe(0);

    await finger.down(lunch);
    await finger.move(70);
    await ann.page.locator('[data-swipe=ready]').waitFor();
    const shift = await ann.page
      .locator('[data-swipe] > div')
      .last()
      .evaluate((one) => getComputedStyle(one).transform);
    expect(shift).toMatch(/^matrix\(1, 0, 0, 1, [5-7]\d/);
    await stage.picture('touch-swipe', ann.page);
    expect(await ann.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await finger.up();
    await reply.getByText('Reply to').waitFor();
    await reply.getByText('lunch at noon?').waitFor();
  });
});

inChromium('with reduced motion a swipe replies, and the message does not move', async () => {
  await onPhone(
    async ({ ann, finger }) => {
      await finger.down(ann.message('lunch at noon?').locator('[data-text]'));
      await finger.move(70);
      const ready = ann.page.locator('[data-swipe=ready]');
      await ready.waitFor();
      expect(
        await ready
          .locator('> div')
          .last()
          .evaluate((one) => getComputedStyle(one).transform),
      ).toBe('none');
      await finger.up();
      await ann.page.locator('[data-composing=reply]').waitFor();
    },
    { reducedMotion: 'reduce' },
  );
});
