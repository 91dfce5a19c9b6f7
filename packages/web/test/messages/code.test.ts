import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const code = `// Counts the words of a text.
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.split(/\\s+/)) {
    if (word === '' || word.length > 64) continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts; /* the end
  of it */
}`;
const fenced = (text: string, info = 'ts') => `\`\`\`${info}\n${text}\n\`\`\``;
const lines = (count: number) => Array.from({ length: count }, (_, at) => `const line${at} = 'text ${at}';`);

/** The colours of a code block, by the text that has them. */
const colors = (block: Locator) =>
  block
    .locator('code')
    .evaluate((element) =>
      Object.fromEntries(
        [...element.querySelectorAll('span[class]')].map((span) => [
          span.textContent ?? '',
          getComputedStyle(span).color,
        ]),
      ),
    );

async function withCode(stage: Stage, texts: readonly string[], options: Parameters<Stage['person']>[1] = {}) {
  const ann = await stage.person('ann', options);
  const { api } = await ann.actor();
  const { id: chat_id } = await api.startChat({ usernames: [], title: 'Code' });
  for (const text of texts) await api.sendMessage({ chat_id, text });
  await ann.open(chat_id);
  return { ann, api, chat_id };
}

inChromium('WEB-170: code has the colours of its language, in both themes, and its text stays as written', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    await withStage(async (stage) => {
      const { ann } = await withCode(
        stage,
        [fenced(code), fenced(code, 'unknown-language'), fenced('SELECT 1', 'sql')],
        {
          colorScheme,
        },
      );
      const [block, plain] = [ann.page.locator('figure').first(), ann.page.locator('figure').nth(1)];
      await expect.poll(async () => new Set(Object.values(await colors(block))).size).toBeGreaterThanOrEqual(5);
      const found = await colors(block);
      expect(found['  of it */']).toBe(found['// Counts the words of a text.']);
      expect(new Set(['export', 'function', 'for', 'const', 'of', 'if', 'return'].map((word) => found[word]))).toEqual(
        new Set([found['return']]),
      );
      expect(await block.locator('code').textContent()).toBe(code);
      expect(await plain.locator('code span span').count()).toBe(0);
      expect(await findings(ann.page)).toEqual([]);
      await stage.picture(`code-${colorScheme}`, ann.page);
    });
});

inChromium('WEB-170: if a worker fails at a code block, another one tries it once more', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Code' });
    await api.sendMessage({ chat_id, text: fenced(code) });
    await ann.page.addInitScript(() => {
      const Real = window.Worker;
      let isFirst = true;
      window.Worker = class extends Real {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          if (isFirst) queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error')));
          isFirst = false;
        }
      };
    });
    await ann.open(chat_id);
    const block = ann.page.locator('figure').first();
    await expect.poll(async () => new Set(Object.values(await colors(block))).size).toBeGreaterThanOrEqual(5);
  });
});

inChromium('WEB-171: code that streams in has its colours before it ends, and is not folded', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ usernames: [], title: 'Code' });
    const bot = await stage.world.bot(await ann.actor(), 'coder');
    await api.addGroupAgent({ chat_id, agent_username: bot.username });
    await ann.open(chat_id);
    const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
    await reply.append('```ts\n');
    const block = ann.page.locator('figure');
    for (const [at, line] of lines(200).entries()) {
      await reply.append(`${line}\n`);
      if (at % 50 === 20) await expect.poll(async () => `'text ${at}'` in (await colors(block))).toBe(true);
    }
    await expect
      .poll(async () => (await block.locator('code').textContent())?.split('\n').length)
      .toBeGreaterThanOrEqual(200);
    await expect.poll(async () => "'text 199'" in (await colors(block))).toBe(true);
    expect(await block.getByText('const line199').isVisible()).toBe(true);
    await reply.append('```\nDone.');
    await reply.finish();
    await ann.page.getByText('Done.').waitFor();
    expect(await block.getByText('const line199').isVisible()).toBe(true);
  });
});

inChromium('long code is folded; a button and a search hit open it', async () => {
  await withStage(async (stage) => {
    const text = fenced([...lines(90), "const albatross = 'here';", ...lines(30)].join('\n'));
    const { ann } = await withCode(stage, [text, 'the end'], { viewport: { width: 390, height: 844 } });
    const block = ann.page.locator('figure');
    const last = block.getByText('albatross');
    await block.getByRole('button', { name: 'Show all 121 lines' }).waitFor();
    expect(await last.isVisible()).toBe(false);
    await stage.picture('code-folded', ann.page);
    await block.getByRole('button', { name: 'Show all 121 lines' }).click();
    await expect.poll(() => last.isVisible()).toBe(true);
    await block.getByRole('button', { name: 'Show less' }).click();
    await expect.poll(() => last.isVisible()).toBe(false);
    await ann.page.reload();
    await block.waitFor();
    await ann.page.keyboard.press('Control+k');
    await ann.page.getByRole('combobox', { name: 'Search' }).fill('albatross');
    await ann.page.getByRole('option').filter({ hasText: 'albatross' }).click();
    await expect.poll(() => last.isVisible()).toBe(true);
  });
});

inChromium('the head of a code block stays in view, and long lines wrap on demand', async () => {
  await withStage(async (stage) => {
    const text = fenced(['const words = [', `  '${'word '.repeat(60)}',`, ...lines(36), '];'].join('\n'));
    const { ann } = await withCode(stage, [text], { viewport: { width: 390, height: 500 } });
    const block = ann.page.locator('figure');
    const pre = block.locator('pre');
    const isWide = () => pre.evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(await isWide()).toBe(true);
    await block.getByRole('button', { name: 'Wrap' }).click();
    expect(await isWide()).toBe(false);
    const top = (selector: string) =>
      ann.page.locator(selector).evaluate((element) => element.getBoundingClientRect().top);
    await expect.poll(async () => Math.round((await top('figure figcaption')) - (await top('[role=log]')))).toBe(0);
    expect(await top('figure')).toBeLessThan(await top('[role=log]'));
    await stage.picture('code-head', ann.page);
  });
});
