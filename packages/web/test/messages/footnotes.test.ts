import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-177: the number of a footnote leads to it, and its own number back, within the message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann', { viewport: { width: 390, height: 600 } });
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Notes' });
    const text = `A claim[^1] and another.[^2]\n\n${'Much more to read.\n\n'.repeat(40)}[^1]: The first source.\n[^2]: The *second* one.`;
    await api.sendMessage({ chat_id, text: 'Other[^1]\n\n[^1]: elsewhere' });
    await api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    const message = ann.page.locator('[data-text]').last();
    const note = message.getByRole('note').filter({ hasText: 'The second one.' });
    await note.waitFor();
    const back = note.getByRole('button', { name: 'Footnote 2, back to the text' });
    await back.click();
    const mark = message.getByRole('button', { name: 'Footnote 2', exact: true });
    await expect.poll(() => mark.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => isInView(mark)).toBe(true);
    expect(await isInView(note)).toBe(false);
    await ann.page.keyboard.press('Enter');
    await expect.poll(() => back.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect.poll(() => isInView(note)).toBe(true);
    expect(await findings(ann.page)).toEqual([]);
    await stage.picture('footnotes', ann.page);
  });
});

const isInView = (locator: Locator): Promise<boolean> =>
  locator.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
