import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('a search hit in a long message scrolls to the word and highlights it', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Plans' });
    const paragraphs = Array.from({ length: 80 }, (_, at) => `This is paragraph ${at}, and it says very little.`);
    paragraphs[70] = 'Here the **albatross** flies.';
    await api.sendMessage({ chat_id, text: paragraphs.join('\n\n') });
    for (let at = 0; at < 60; at += 1) await api.sendMessage({ chat_id, text: `later ${at}` });
    await ann.open(chat_id);
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('combobox', { name: 'Search' }).fill('albatross');
    await ann.page.getByRole('option').filter({ hasText: 'albatross' }).click();
    const marked = () =>
      ann.page.evaluate(() => {
        const ranges = [...(CSS.highlights.get('sought') ?? [])].filter((range) => range instanceof Range);
        return ranges.map((range) => {
          const { top, bottom } = range.getBoundingClientRect();
          const log = document.querySelector('[role=log]')?.getBoundingClientRect();
          return [range.toString(), !!log && top > log.top && bottom < log.bottom];
        });
      });
    await expect.poll(marked).toEqual([['albatross', true]]);
    await stage.picture('search-hit', ann.page);
  });
});
