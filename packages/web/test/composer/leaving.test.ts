import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-31: a draft typed right before its tab closes appears in another tab', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.open(chat_id);
    const tab = await ann.tab();
    // The tab's clock is stopped, so that the draft is not saved when the user pauses typing.
    await tab.page.clock.install();
    await tab.open(chat_id);
    await tab.page.clock.pauseAt(Date.now() + 60_000);
    await tab.composer.fill('half a thought');
    expect((await api.getDrafts()).items).toEqual([]);
    await tab.page.close();
    await expect.poll(async () => (await api.getDrafts()).items[0]?.text).toBe('half a thought');
    await expect.poll(async () => ann.composer.inputValue()).toBe('half a thought');
  });
});

inChromium('WEB-31: a draft is stored when its page is hidden', async () => {
  await withStage(async (stage) => {
    const [ann] = await Promise.all([stage.person('ann'), stage.person('bob')]);
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'bob' });
    await ann.page.clock.install();
    await ann.open(chat_id);
    await ann.page.clock.pauseAt(Date.now() + 60_000);
    await ann.composer.fill('half a thought');
    await ann.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect.poll(async () => (await api.getDrafts()).items[0]?.text).toBe('half a thought');
  });
});
