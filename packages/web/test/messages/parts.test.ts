import { DaemonStream } from '@parley/testing/world/daemon-stream.ts';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import type { Person } from '../setup/person.ts';
import { type Stage, withStage } from '../setup/stage.ts';

type Options = Parameters<Stage['person']>[1];

/** Ann in a group in which Bob's bot has begun a reply. */
async function replying(stage: Stage, options: Options = {}, earlier: readonly string[] = []) {
  const ann = await stage.person('ann', options);
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Trains' });
  const bot = await stage.world.bot(bob, 'helper');
  await bob.api.addGroupAgent({ chat_id, agent_username: bot.username });
  for (const text of [...earlier, 'When does it leave?']) await bob.api.sendMessage({ chat_id, text });
  const { api } = await ann.actor();
  const newest = (await api.getChatHistory({ chat_id, limit: 1 })).items.at(-1);
  await api.markRead({ chat_id, message_id: newest?.id ?? '' });
  await ann.open(chat_id);
  await ann.message('When does it leave?').waitFor();
  const reply = new DaemonStream(bot.api, await bot.api.startMessageStream({ chat_id }));
  const shown = ann.page.locator(`[data-message="${reply.id}"]`);
  await shown.waitFor();
  return { ann, bob, chat_id, reply, shown };
}

const thought = (shown: Locator) => shown.getByRole('button', { name: /^(Thinking|Thought)/ });
const tool = (shown: Locator, name: string) => shown.getByRole('group', { name: `Tool: ${name}` });

/** Ends the reasoning "thought" of a reply. */
const stopThinking = (reply: DaemonStream, duration_ms: number) =>
  reply.part({
    id: 'thought',
    type: 'reasoning',
    append: '',
    text_offset: Buffer.byteLength(reply.thoughts.get('thought') ?? ''),
    duration_ms,
  });

/** A reply with every kind of part, in the middle of its last tool. */
async function writeAll(reply: DaemonStream): Promise<void> {
  await reply.think(
    'The reader asks for a *train*. I should:\n\n1. search the timetable\n2. compare the two routes\n\n{% button label="Press" action="go" /%}\n\nويجب أن أجيب باختصار.',
  );
  await stopThinking(reply, 4_200);
  await reply.append('Let me look at the timetable.');
  await reply.part({
    id: 'search',
    type: 'tool',
    name: 'web_search',
    title: 'Search the web',
    input: { query: 'trains from Basel to Bern on a Sunday', limit: 5, language: 'en' },
    output: [{ url: 'https://trains.example/timetable', title: 'Timetable', score: 0.93 }],
    status: 'done',
    duration_ms: 1_240,
  });
  await reply.part({
    id: 'book',
    type: 'tool',
    name: 'reserve_seat_in_the_dining_car_of_the_first_train_after_eight',
    input: 'carriage 7',
    status: 'failed',
    error: 'The train has no dining car.',
  });
  await reply.append(
    '\n\nThe next train leaves at **8:15** from platform 4.\n\n| from | at |\n|---|---|\n| Basel | 8:15 |\n| Bern | 9:12 |\n\n',
  );
  await reply.part({ id: 'read', type: 'progress', text: 'Reading pages', done: 3, total: 10 });
  const pages = [
    [
      'https://trains.example/timetable',
      'Timetable of the regional trains between Basel and Bern',
      'The train at 8:15 runs daily.',
    ],
    ['https://www.news.example/2026/trains', 'Trains run on time again', undefined],
    ['https://travel.example/bern', 'القطارات إلى برن', 'تغادر القطارات كل نصف ساعة.'],
    ['https://blog.example/', undefined, undefined],
    ['https://more.example/', 'More about trains', undefined],
  ] as const;
  for (const [at, [url, title, excerpt]] of pages.entries())
    await reply.part({ id: `source${at}`, type: 'source', url, ...(title && { title }), ...(excerpt && { excerpt }) });
  await reply.part({ id: 'note', type: 'notice', text: 'Two pages were too long to be read.' });
  await reply.part({ id: 'last', type: 'tool', name: 'weather', input: { city: 'Bern' }, status: 'running' });
}

inChromium('reasoning is one line with a timer, then with its duration; it unfolds by click and key', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown } = await replying(stage);
    await shown.getByText('is thinking').waitFor();
    await reply.think('First the **timetable**.');
    await thought(shown).getByText('Thinking').waitFor();
    expect(await shown.getByText('is thinking').count()).toBe(0);
    expect(await shown.getByText('timetable').count()).toBe(0);
    await thought(shown).getByText('1 s').waitFor();
    await thought(shown).click();
    const text = shown.getByRole('region', { name: 'Thoughts' });
    await text.getByText('timetable').waitFor();
    expect(await thought(shown).getAttribute('aria-expanded')).toBe('true');
    await reply.think(' Then the *route*. {% button label="Press" action="go" /%}');
    await text.getByText('route').waitFor();
    // A button in a thought does nothing.
    expect(await text.getByRole('button', { name: 'Press' }).isDisabled()).toBe(true);
    await stopThinking(reply, 4_200);
    await thought(shown).getByText('Thought for 4 s').waitFor();
    await text.getByText('route').waitFor();
    await thought(shown).press('Enter');
    await text.waitFor({ state: 'detached' });
    expect(await thought(shown).getAttribute('aria-expanded')).toBe('false');
    await shown.getByRole('img', { name: 'is writing' }).waitFor();
    await thought(shown).press('Space');
    await text.waitFor();
    await thought(shown).press('Escape');
    expect(await shown.evaluate((row) => row === document.activeElement)).toBe(true);
    await reply.append('At 8:15.');
    await reply.finish();
    await ann.page.locator('[data-status=complete]').and(shown).waitFor();
    await ann.page.reload();
    await thought(shown).getByText('Thought for 4 s').waitFor();
    await ann.sees(shown, 'Thought for 4 s\n\nAt 8:15.');
  });
});

inChromium('parts stand between the blocks of a reply, also after a reload, and sources at its end', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown } = await replying(stage);
    await writeAll(reply);
    await tool(shown, 'weather').waitFor();
    const rows = async () => shown.locator('[data-text] > div').first().locator('> *').allInnerTexts();
    const expected = [
      /^Thought for 4 s$/,
      /^Let me look at the timetable\.$/,
      /^Search the web\s+Done · 1 s$/,
      /^reserve_seat\w+\s+Failed\s+The train has no dining car\.$/,
      /^The next train leaves at 8:15 from platform 4\.$/,
      /^from\s+at\s+Basel/,
      /^Reading pages\s+3 of 10$/,
      /^Two pages were too long/,
      /^weather\s+Running$/,
    ].map((text): unknown => expect.stringMatching(text));
    expect(await rows()).toEqual(expected);
    await ann.page.reload();
    await tool(shown, 'weather').waitFor();
    expect(await rows()).toEqual(expected);
    expect(await shown.locator('[data-text] > :last-child').getAttribute('data-sources')).not.toBe(null);
  });
});

inChromium('a tool is a card with its status in words; input and output unfold', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown } = await replying(stage);
    const words = {
      pending: 'Waiting',
      needs_approval: 'Needs approval',
      running: 'Running',
      done: 'Done',
      failed: 'Failed',
      denied: 'Denied',
      unknown: 'No result',
    } as const;
    // Its own keys.
    for (const status of Object.keys(words) as (keyof typeof words)[]) {
      await reply.part({ id: status, type: 'tool', name: status, status });
      await tool(shown, status).getByText(words[status], { exact: true }).waitFor();
    }
    // Without input and output there is nothing to unfold.
    expect(await shown.locator('[data-fold]').count()).toBe(0);
    const output = Array.from({ length: 200 }, (_, at) => ({ line: at, text: '<script>alert(1)</script>' }));
    await reply.part({
      id: 'x',
      type: 'tool',
      name: 'search',
      title: 'Look it up',
      input: { q: ['trains'] },
      output,
      status: 'failed',
      error: 'Half of it is missing.',
    });
    const card = tool(shown, 'Look it up');
    await card.getByText('Half of it is missing.').waitFor();
    await card.getByRole('button', { name: 'Look it up' }).click();
    await card.getByText('search', { exact: true }).waitFor();
    expect(await card.getByLabel('Code, Input').innerText()).toBe('{\n  "q": [\n    "trains"\n  ]\n}');
    const shownOutput = card.getByLabel('Code, Output');
    expect(await shownOutput.innerText()).toContain('<script>alert(1)</script>');
    expect((await shownOutput.boundingBox())?.height).toBeLessThan(300);
    await reply.finish();
    await tool(shown, 'running').getByText('No result').waitFor();
    await tool(shown, 'needs_approval').getByText('No result').waitFor();
    await ann.page.locator('[data-status=complete]').and(shown).waitFor();
  });
});

inChromium(
  'WEB-133: sources are numbered links that open in a new tab, with a list; nothing is loaded from them',
  async () => {
    await withStage(async (stage) => {
      const { reply, shown } = await replying(stage);
      await reply.append('At 8:15.');
      for (const at of [1, 2, 3, 4, 5])
        await reply.part({
          id: `s${at}`,
          type: 'source',
          url: `https://news${at}.example/page`,
          title: `Page ${at}`,
          excerpt: `Said on ${at}.`,
        });
      await reply.part({ id: 'again', type: 'source', url: 'https://news1.example/page', excerpt: 'Said twice.' });
      const sources = shown.getByRole('group', { name: 'Sources' });
      const button = sources.getByRole('button', { name: '5 sources' });
      await button.waitFor();
      expect(await sources.getByRole('link').allInnerTexts()).toEqual(
        ['1\nPage 1', '2\nPage 2', '3\nPage 3'].map((text): unknown =>
          expect.stringMatching(text.replace('\n', String.raw`\s*`)),
        ),
      );
      await button.click();
      const first = sources.getByRole('listitem').first();
      await first.getByText('news1.example').waitFor();
      await first.getByText('Said on 1.').waitFor();
      await first.getByText('Said twice.').waitFor();
      expect(await sources.getByRole('link').count()).toBe(5);
      for (const link of await sources.getByRole('link').all())
        expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
          '_blank',
          'noopener noreferrer',
        ]);
      // The stage fails if the page asked another host for anything.
    });
  },
);

inChromium('progress is a bar with its text while the reply streams, a notice a line', async () => {
  await withStage(async (stage) => {
    const { reply, shown } = await replying(stage);
    await reply.part({ id: 'p', type: 'progress', text: 'Reading pages', done: 3, total: 12 });
    await reply.part({ id: 'q', type: 'progress', text: 'Looking around' });
    await reply.part({ id: 'n', type: 'notice', text: 'Pictures were left out.' });
    const bar = shown.getByRole('progressbar', { name: 'Reading pages' });
    await bar.waitFor();
    await shown.getByText('Pictures were left out.').waitFor();
    const values = async () =>
      Promise.all(['now', 'min', 'max', 'text'].map(async (name) => bar.getAttribute(`aria-value${name}`)));
    expect(await values()).toEqual(['3', '0', '12', '3 of 12']);
    await reply.part({ id: 'p', type: 'progress', text: 'Reading pages', done: 14, total: 12 });
    await expect.poll(values).toEqual(['12', '0', '12', '14 of 12']);
    const other = shown.getByRole('progressbar', { name: 'Looking around' });
    expect(await other.getAttribute('aria-valuenow')).toBe(null);
    await reply.append('Done.');
    await reply.finish();
    await other.waitFor({ state: 'detached' });
    await shown.getByText('Looking around').waitFor();
  });
});

/** Distance of the timeline from its end. */
const fromEnd = (person: Person) =>
  person.timeline.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop);
const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;

inChromium(
  'WEB-135: a growing thought changes only itself; unfolding moves neither its button nor what is above',
  async () => {
    await withStage(async (stage) => {
      const earlier = Array.from({ length: 30 }, (_, at) => `message ${at}`);
      const { ann, reply, shown } = await replying(stage, {}, earlier);
      await reply.append('Before.\n\n');
      await reply.think('One.');
      await thought(shown).waitFor();
      await expect.poll(async () => fromEnd(ann)).toBeLessThan(2);
      await thought(shown).getByText('1 s').waitFor();
      await ann.page.evaluate(() => {
        const places: string[] = [];
        new MutationObserver((changes) => {
          for (const { target } of changes) {
            const element = target instanceof Element ? target : target.parentElement;
            const isOwn = element?.closest('button[data-fold], [role=region]');
            places.push(isOwn ? 'own' : (element?.outerHTML ?? 'gone').slice(0, 200));
          }
        }).observe(document.querySelector('[role=log] [data-status=streaming]') ?? document, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        });
        Object.assign(globalThis, { takePlaces: () => places.splice(0) });
      });
      const grow = async (from: number, to: number) => {
        for (let line = from; line < to; line += 1) await reply.think(`\n\nline ${line} of a thought`);
      };
      const changed = async () => new Set(await ann.page.evaluate<string[]>('takePlaces()'));
      await grow(0, 20);
      await thought(shown).getByText('2 s').waitFor();
      expect(await changed()).toEqual(new Set(['own']));
      const before = await topOf(thought(shown));
      await thought(shown).click();
      const text = shown.getByRole('region', { name: 'Thoughts' });
      await text.getByText('line 19').waitFor();
      await ann.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      await changed();
      await grow(20, 40);
      await text.getByText('line 39').waitFor();
      expect(await changed()).toEqual(new Set(['own']));
      expect(await topOf(thought(shown))).toBe(before);
      // The box is bounded and follows its own end.
      expect((await text.boundingBox())?.height).toBeLessThan(400);
      await expect
        .poll(async () => text.evaluate((one) => one.scrollHeight - one.clientHeight - one.scrollTop))
        .toBeLessThan(2);
      // Folded again, the timeline follows as before.
      await thought(shown).click();
      await text.waitFor({ state: 'detached' });
      await ann.page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'detached' });
      for (let line = 0; line < 10; line += 1) await reply.append(`line ${line} of the reply\n\n`);
      await shown.getByText('line 9 of the reply').waitFor();
      await expect.poll(async () => fromEnd(ann)).toBeLessThan(2);
    });
  },
);

inChromium('copying a message copies its text without parts', async () => {
  await withStage(async (stage) => {
    const { ann, reply, shown } = await replying(stage, { permissions: ['clipboard-read', 'clipboard-write'] });
    await writeAll(reply);
    await reply.finish();
    await ann.page.locator('[data-status=complete]').and(shown).waitFor();
    await ann.choose(shown, 'Copy text');
    await expect.poll(async () => ann.page.evaluate(() => navigator.clipboard.readText())).toBe(reply.text);
  });
});

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['phone', { colorScheme: 'dark', ...phone }],
] as const)
  inChromium(`WEB-12, WEB-10: parts pass axe and fit, folded and unfolded, ${name}`, { timeout: 60_000 }, async () => {
    await withStage(async (stage) => {
      const { ann, reply, shown } = await replying(stage, { ...options, reducedMotion: 'reduce' });
      const { page } = ann;
      const all: string[] = [];
      const look = async (state: string): Promise<void> => {
        await stage.picture(`parts-${state}-${name}`, page);
        all.push(...(await findings(page)).map((finding) => `${state}: ${finding}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          all.push(`${state}: too wide`);
        const isCut = await ann.timeline.evaluate((one) => one.scrollWidth > one.clientWidth);
        if (isCut) all.push(`${state}: wider than the timeline`);
      };
      await reply.think('What does the reader want?');
      await thought(shown).waitFor();
      await look('thinking');
      await stopThinking(reply, 900);
      await writeAll(reply);
      await tool(shown, 'weather').waitFor();
      await look('streaming');
      await reply.finish();
      await tool(shown, 'weather').getByText('No result').waitFor();
      await look('finished');
      for (const button of await shown.locator('[data-fold]').all()) await button.click();
      await shown.getByRole('region', { name: 'Thoughts' }).waitFor();
      await look('sources-open');
      await thought(shown).scrollIntoViewIfNeeded();
      await look('open');
      await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      await look('right-to-left');
      expect(all).toEqual([]);
    });
  });
