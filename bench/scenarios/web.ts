import { setTimeout as sleep } from 'node:timers/promises';
import { howToHave, isHere } from '@parley/testing/programs/programs.ts';
import type { Page } from 'playwright-core';
import type { Bench } from '../bench.ts';
import { formatted } from '../report.ts';
import type { Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { devToken, type RunningService } from '../service/running-service.ts';
import { median, percentile, ratio } from '../statistics.ts';
import { Pages } from '../web/pages.ts';
import { Reply, textOf } from '../web/messages.ts';
import { mainThreadPerFrame } from '../web/trace.ts';

const messages = 1_000;
const replies = 3;
/** Interval between tokens such that each gets its own frame: the service batches text for 40 ms. */
const aloneMs = { app: 60, naive: 500 } as const;
/** Interval between tokens as from a model: some share a frame. */
const pacedMs = 20;
/** Interval between tokens of each reply while a user types. */
const besideTypingMs = 50;
const keyMs = 90;
type Side = keyof typeof aloneMs;

interface Measured {
  /** Main-thread time of each token, when tokens come so slowly that each has an animation frame of its own. */
  tokenMs: number[];
  /** Main-thread time of a token at 50 tokens a second, on average. */
  pacedTokenMs: number;
  keyMs: number[];
}

async function growEvery(ms: number, reply: Reply, tokens: number): Promise<void> {
  for (let token = 0; token < tokens; token += 1) {
    await reply.grow();
    await sleep(ms);
  }
}

async function measure(
  bench: Bench,
  pages: Pages,
  page: Page,
  side: Side,
  start: () => Promise<Reply>,
): Promise<Measured> {
  const tokens = bench.choose(side === 'app' ? 200 : 40, side === 'app' ? 60 : 10);
  const pacedTokens = bench.choose(500, 150);
  const reply = await start();
  // Warms up before anything is timed.
  await growEvery(aloneMs[side], reply, 10);
  const alone = mainThreadPerFrame(await pages.trace(page, () => growEvery(aloneMs[side], reply, tokens)));
  const paced = mainThreadPerFrame(await pages.trace(page, () => growEvery(pacedMs, reply, pacedTokens)));
  await reply.finish();

  await page.evaluate(pages.probe('typing'));
  const streams = await Promise.all(Array.from({ length: replies }, start));
  let isTyping = true;
  const growing = streams.map(async (stream, index) => {
    await sleep((besideTypingMs / replies) * index);
    while (isTyping) {
      await stream.grow();
      await sleep(besideTypingMs);
    }
    await stream.finish();
  });
  try {
    await page.locator('textarea').focus();
    for (let key = 0; key < bench.choose(100, 20); key += 1) {
      await page.keyboard.press(String.fromCodePoint(97 + (key % 26)));
      await sleep(keyMs);
    }
  } finally {
    isTyping = false;
    await Promise.all(growing);
  }
  const typed = await page.evaluate<number[]>('typingTimes');
  const pacedTokenMs = paced.reduce((sum, ms) => sum + ms, 0) / pacedTokens;
  return { tokenMs: alone, pacedTokenMs, keyMs: typed };
}

async function conversation(service: RunningService, reader: string) {
  const chatId = await service.group('A long one', [reader]);
  const [bot] = await service.bots(reader, chatId, 1);
  if (!bot) throw new Error('no bot was created');
  for (let at = 0; at < messages; at += 1)
    await service.call('sendMessage', devToken(reader), { chat_id: chatId, text: textOf(at) });
  return { chatId, start: () => Reply.start(service, chatId, bot) };
}

const summary = (values: readonly number[]): string =>
  `median ${formatted(median(values))} ms, p95 ${formatted(percentile(values, 0.95))} ms of ${values.length}`;

export const web: Scenario = {
  key: 'web',
  title: `the web app in Chromium: a reply that grows below ${formatted(messages)} messages, and typing beside ${replies} of them`,
  async run(bench) {
    if (!isHere('chromium')) {
      bench.note(`not measured without Chromium: ${howToHave('chromium')}`);
      return { figures: null, lines: [] };
    }
    const service = await bench.service();
    const [reader = ''] = await service.people(1, 'web');
    const { chatId, start } = await conversation(service, reader);
    const pages = await Pages.open(service.url, reader);
    try {
      const { page, scriptBytes } = await pages.app(chatId, messages);
      const app = await measure(bench, pages, page, 'app', start);
      await page.context().close();
      const list = await pages.naive(chatId, messages);
      const naive = await measure(bench, pages, list, 'naive', start);
      bench.note(`a token, app: ${summary(app.tokenMs)}; naive list: ${summary(naive.tokenMs)} of main thread`);
      const paced = [app, naive].map((side) => formatted(side.pacedTokenMs));
      bench.note(`a token of 50 a second, app: ${paced[0]} ms; naive list: ${paced[1]} ms, on average`);
      bench.note(`a key to its frame, app: ${summary(app.keyMs)}; naive list: ${summary(naive.keyMs)}`);
      bench.note(`script until the messages are there: ${formatted(scriptBytes / 1_000)} kB gzipped`);
      const p95 = (values: readonly number[]) => percentile(values, 0.95);
      const [appToken, naiveToken] = [median(app.tokenMs), median(naive.tokenMs)];
      return {
        figures: {
          token_median_ms: rounded(appToken, 2),
          token_p95_ms: rounded(p95(app.tokenMs), 2),
          naive_token_median_ms: rounded(naiveToken, 2),
          naive_token_p95_ms: rounded(p95(naive.tokenMs), 2),
          paced_token_ms: rounded(app.pacedTokenMs, 2),
          naive_paced_token_ms: rounded(naive.pacedTokenMs, 2),
          key_median_ms: rounded(median(app.keyMs), 2),
          key_p95_ms: rounded(p95(app.keyMs), 2),
          naive_key_median_ms: rounded(median(naive.keyMs), 2),
          naive_key_p95_ms: rounded(p95(naive.keyMs), 2),
          script_gzipped_bytes: scriptBytes,
        },
        lines: [
          { figure: 'main thread for a token, median', value: appToken, unit: 'ms', target: { atMost: 4 } },
          { figure: 'main thread for a token, p95', value: p95(app.tokenMs), unit: 'ms' },
          { figure: 'main thread for a token of 50/s', value: app.pacedTokenMs, unit: 'ms', target: { atMost: 4 } },
          { figure: 'naive list / app, median', value: ratio(naiveToken, appToken), unit: '×' },
          { figure: 'a key to its frame, median', value: median(app.keyMs), unit: 'ms', target: { atMost: 16.7 } },
          { figure: 'a key to its frame, p95', value: p95(app.keyMs), unit: 'ms', target: { atMost: 33.4 } },
          { figure: 'naive list / app, p95', value: ratio(p95(naive.keyMs), p95(app.keyMs)), unit: '×' },
          { figure: 'script loaded first, gzipped', value: scriptBytes / 1_000, unit: 'kB', target: { atMost: 200 } },
        ],
      };
    } finally {
      await pages.close();
    }
  },
};
