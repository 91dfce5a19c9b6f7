import { setTimeout as sleep } from 'node:timers/promises';
import { howToHave, isHere } from '@parley/testing/programs/programs.ts';
import type { CDPSession, Page } from 'playwright-core';
import type { Bench } from '../bench.ts';
import { formatted } from '../report.ts';
import type { Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import { type Bot, devToken, type RunningService } from '../service/running-service.ts';
import { median } from '../statistics.ts';
import { type FrameFigures, frameFigures } from '../web/frames.ts';
import { code, Reply, textOf } from '../web/messages.ts';
import { Pages } from '../web/pages.ts';

const messages = 5_000;
const chats = 3_000;
const replies = 3;
/** Tokens of a code block of 200 lines. */
const codeTokens = 400;
/** Slowdown of the page's main thread in the throttled loads. */
const throttle = 4;
/** Interval between the deltas of a reply: 25 a second. */
const deltaMs = 40;
/** Deltas of three replies in an hour. */
const hourOfDeltas = (3_600_000 / deltaMs) * replies;
/** Deltas of one reply. */
const replyDeltas = 500;
/**
 * Replies that grow at the same time while the heap is measured. The service merges deltas of one reply that come
 * within 40 ms, so an hour of deltas arrives sooner only with more replies at once.
 */
const heapReplies = 135;
/** Pixels a second. */
const scrollSpeed = 2_000;

interface Place {
  chatId: string;
  bots: readonly Bot[];
}

/** A reader with many conversations, the newest of which is long. */
async function setUp(service: RunningService, reader: string): Promise<Place> {
  const others = await service.people(chats - 1, 'friend');
  const short = await service.groups(others.map((name) => [reader, name]));
  await service.callForAll(short, (chat_id) =>
    service.call('sendMessage', devToken(reader), { chat_id, text: textOf(1) }),
  );
  const chatId = await service.group('A long one', [reader]);
  const bots = await service.bots(reader, chatId, replies);
  const send = (at: number) => service.call('sendMessage', devToken(reader), { chat_id: chatId, text: textOf(at) });
  await service.callForAll(
    Array.from({ length: messages - 1 }, (_, at) => at),
    send,
  );
  await send(messages - 1);
  return { chatId, bots };
}

const start = ({ chatId, bots }: Place, service: RunningService, at: number): Promise<Reply> => {
  const bot = bots[at % bots.length];
  if (!bot) throw new Error('no bot was created');
  return Reply.start(service, chatId, bot);
};

/**
 * Milliseconds from the start of a navigation with an empty cache until the page is interactive: the newest message is
 * painted inside the window, and a key pressed after that is painted in the composer. This includes the key's way from
 * this process to the page.
 */
async function coldLoad(pages: Pages, address: string, rate: number): Promise<number> {
  const page = await pages.cold();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  await page.goto(address, { waitUntil: 'commit' });
  await page.evaluate(`newestText = 'message ${messages - 1} '`);
  await page.evaluate(pages.probe('interactive'));
  await page.evaluate('isShown');
  await page.keyboard.press('x');
  const ms = await page.evaluate<number>('isTyped');
  await page.keyboard.press('Backspace');
  await page.context().close();
  return ms;
}

async function framesDuring(page: Page, work: () => Promise<unknown>): Promise<FrameFigures> {
  await page.evaluate('frameTimes.length = 0');
  await work();
  return frameFigures(await page.evaluate<number[]>('frameTimes'));
}

/** Scrolls by the mouse wheel; positive pixels towards older messages. */
const scroll = (devtools: CDPSession, pixels: number): Promise<unknown> =>
  devtools.send('Input.synthesizeScrollGesture', {
    x: 800,
    y: 400,
    yDistance: pixels,
    speed: scrollSpeed,
    gestureSourceType: 'mouse',
    preventFling: true,
  });

async function growEach(growing: readonly Reply[], deltas: number): Promise<void> {
  await Promise.all(
    growing.map(async (reply, at) => {
      await sleep((deltaMs / growing.length) * at);
      const begunMs = performance.now();
      for (let delta = 1; delta <= deltas; delta += 1) {
        await reply.grow();
        await sleep(Math.max(0, begunMs + delta * deltaMs - performance.now()));
      }
    }),
  );
}

async function heapMib(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** The page's JS heap after each of these shares of an hour of deltas, in MiB, and the deltas that the page received. */
async function heapsOf(
  devtools: CDPSession,
  shares: readonly number[],
  startOne: (at: number) => Promise<Reply>,
): Promise<{ heaps: number[]; received: number }> {
  const heaps: number[] = [];
  let deltas = 0;
  let received = 0;
  devtools.on('Network.webSocketFrameReceived', ({ response }) => {
    if (response.payloadData.startsWith('{"method":"events.messageDelta"')) received += 1;
  });
  await devtools.send('Network.enable');
  for (const share of shares) {
    while (deltas < share * hourOfDeltas) {
      const growing = await Promise.all(Array.from({ length: heapReplies }, (_, at) => startOne(at)));
      await growEach(growing, replyDeltas);
      await Promise.all(growing.map((reply) => reply.finish()));
      deltas += heapReplies * replyDeltas;
    }
    heaps.push(await heapMib(devtools));
  }
  return { heaps, received };
}

const framesNote = ({ p95Ms, over16, over33, frames }: FrameFigures): string =>
  `p95 ${formatted(p95Ms)} ms, ${formatted(over16 * 100)} % over 16.7 ms, ${formatted(over33 * 100)} % over 33.4 ms of ${frames}`;

const frameLines = (what: string, { p95Ms, over16, over33 }: FrameFigures): Line[] => [
  { figure: `${what}: a frame, p95`, value: p95Ms, unit: 'ms' },
  { figure: `${what}: over 16.7 ms`, value: over16 * 100, unit: '%', target: { atMost: 1 } },
  { figure: `${what}: over 33.4 ms`, value: over33 * 100, unit: '%' },
];

const frameFiguresOf = (prefix: string, { p95Ms, over16, over33 }: FrameFigures) => ({
  [`${prefix}_frame_p95_ms`]: rounded(p95Ms, 1),
  [`${prefix}_over_16_share`]: rounded(over16, 3),
  [`${prefix}_over_33_share`]: rounded(over33, 3),
});

/**
 * Frames are those of a headless Chromium, which draws in software, on cores that it shares with the service and this
 * process. The same page at rest, measured first, shows the best that the machine can do.
 */
export const webLarge: Scenario = {
  key: 'web_large',
  title: `the web app in Chromium with ${formatted(messages)} messages in one of ${chats} conversations`,
  async run(bench: Bench) {
    if (!isHere('chromium')) {
      bench.note(`not measured without Chromium: ${howToHave('chromium')}`);
      return { figures: null, lines: [] };
    }
    const service = await bench.freshService();
    const [reader = ''] = await service.people(1, 'large');
    const place = await setUp(service, reader);
    const pages = await Pages.open(service.url, reader);
    try {
      const address = `${service.url}/chat/${place.chatId}`;
      const loads: number[] = [];
      const throttledLoads: number[] = [];
      // The first load warms up the service and Chromium.
      await coldLoad(pages, address, 1);
      for (let load = 0; load < bench.choose(9, 3); load += 1) {
        loads.push(await coldLoad(pages, address, 1));
        throttledLoads.push(await coldLoad(pages, address, throttle));
      }
      const [cold, throttled] = [median(loads), median(throttledLoads)];
      bench.note(`cold loads: ${loads.map((ms) => formatted(ms)).join(', ')} ms`);
      bench.note(`cold loads with ${throttle}× throttle: ${throttledLoads.map((ms) => formatted(ms)).join(', ')} ms`);

      const page = await pages.cold();
      const devtools = await page.context().newCDPSession(page);
      await page.goto(address);
      await page
        .getByText(`message ${messages - 1} `)
        .last()
        .waitFor();
      await sleep(2_000);
      await page.evaluate(pages.probe('frames'));
      const seconds = bench.choose(20, 6);
      const atRest = await framesDuring(page, () => sleep(2_000));
      const scrolled = await framesDuring(page, async () => {
        await scroll(devtools, (scrollSpeed * seconds) / 2);
        await scroll(devtools, (-scrollSpeed * seconds) / 2);
      });
      await pages.toEnd(page);
      const startOne = (at: number): Promise<Reply> => start(place, service, at);
      const growing = await Promise.all(Array.from({ length: replies }, (_, at) => startOne(at)));
      const streamed = await framesDuring(page, () => growEach(growing, (seconds * 1_000) / deltaMs));
      await Promise.all(growing.map((reply) => reply.finish()));
      const [drawer] = place.bots;
      const block = drawer && (await Reply.start(service, place.chatId, drawer, code));
      const coded = await framesDuring(page, () => growEach(block ? [block] : [], codeTokens));
      await block?.finish();
      bench.note(`frames at rest: ${framesNote(atRest)}`);
      bench.note(`frames while scrolling: ${framesNote(scrolled)}`);
      bench.note(`frames while ${replies} replies stream: ${framesNote(streamed)}`);
      bench.note(`frames while a code block grows to ${codeTokens / 2} lines: ${framesNote(coded)}`);

      // The first share fills caches. After it the heap may grow by the text that it shows, about 0.6 MiB a quarter; the
      // app keeps 2,000 messages of a conversation.
      const { heaps, received } = await heapsOf(devtools, bench.choose([0.25, 0.5, 0.75, 1], [0.25, 0.5]), startOne);
      const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
      bench.note(
        `JS heap: ${heaps.map((mib) => formatted(mib)).join(', ')} MiB; ${formatted(received)} deltas received`,
      );
      return {
        figures: {
          cold_load_ms: rounded(cold),
          cold_load_throttled_ms: rounded(throttled),
          ...frameFiguresOf('rest', atRest),
          ...frameFiguresOf('scroll', scrolled),
          ...frameFiguresOf('stream', streamed),
          ...frameFiguresOf('code', coded),
          heap_mib: rounded(heaps.at(-1), 1),
          heap_growth_mib: rounded(growth, 1),
        },
        lines: [
          { figure: 'cold load until interactive', value: cold, unit: 'ms', target: { atMost: 1_000 } },
          { figure: `with ${throttle}× CPU throttle`, value: throttled, unit: 'ms', target: { atMost: 3_000 } },
          ...frameLines('scrolling', scrolled),
          ...frameLines(`${replies} replies`, streamed),
          ...frameLines('a growing code block', coded),
          { figure: 'JS heap growth of streaming', value: growth, unit: 'MiB', target: { atMost: 5 } },
        ],
      };
    } finally {
      await pages.close();
    }
  },
};
