import type { Browser, Page } from 'playwright-core';

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Processor time of the thread during the event, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/**
 * The longest task of the main thread of a page while `work` runs, in milliseconds of processor time. Unlike elapsed time,
 * it does not grow because other programs run.
 */
export async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const mark = `page ${Math.random()}`;
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[]))); // as Chromium writes them
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'], excludedCategories: ['*'] },
  });
  // Its process and thread.
  await page.evaluate((name) => void performance.mark(name), mark);
  await work();
  const done = new Promise((resolve) => {
    session.once('Tracing.tracingComplete', resolve);
  });
  await session.send('Tracing.end');
  await done;
  await session.detach();
  const own = events.find(({ name }) => name === mark);
  if (!own) throw new Error('the trace has no mark of the page');
  const tasks = events.filter(({ pid, tid, ph }) => pid === own.pid && tid === own.tid && ph === 'X');
  if (tasks.every(({ tdur }) => tdur === undefined)) throw new Error('the trace has no processor times');
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
