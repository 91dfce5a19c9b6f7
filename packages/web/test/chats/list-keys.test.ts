import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-622: the first stop of Tab leads past the list', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id } = await api.startChat({ usernames: [], title: 'Plans' });
    await ann.open(id);
    await ann.page.reload();
    await ann.composer.waitFor();
    const skip = ann.page.getByRole('button', { name: 'Skip the list' });
    const first = ann.page.locator('button, a, input, textarea, [tabindex="0"]').first();
    expect(await first.innerText()).toBe('Skip the list');
    await skip.focus();
    expect(await skip.evaluate((button) => getComputedStyle(button).opacity)).toBe('1');
    await stage.picture('skip', ann.page);
    await ann.page.keyboard.press('Enter');
    expect(await ann.composer.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});

inChromium('WEB-623: the arrow keys lead from a button in a message to the next message', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    for (const text of ['first', 'see https://example.com/a', 'last']) await api.sendMessage({ chat_id, text });
    await ann.open(chat_id);
    await ann.message('see').getByRole('link').focus();
    await ann.page.keyboard.press('ArrowUp');
    const focused = () => ann.page.evaluate(() => document.activeElement?.textContent ?? '');
    await expect.poll(focused).toContain('first');
  });
});
