// Loaded before the service's own code, in each of its threads, by `--trace`: notes when units reach their points, and
// writes them into the folder TRACE_DIR when the benchmark asks for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { unitPoints, type UnitPoint } from '@parley/server/core/unit-points.ts';
import type { StepPoint } from './steps.ts';

/** More are dropped: a run of a few seconds has fewer. */
const MAX_NOTED = 4_000_000;

/** How long the store's thread has to say that it writes its points. A thread without points says nothing. */
const ANSWER_MS = 1_000;

const dir = process.env['TRACE_DIR'] ?? '';
/** For each point the ids of units and when they reached it, in turn, in ms of the machine's monotonic clock. */
const noted: Partial<Record<StepPoint, number[]>> = {};
let count = 0;

function note(point: StepPoint, id: number, at: number): void {
  if (count === MAX_NOTED) return;
  count += 1;
  (noted[point] ??= []).push(id, at);
}

const frames = new AsyncLocalStorage<{ readAt: number; begunAt: number }>();
const readAt = new WeakMap<object, number>();
/** The unit whose events are being published. */
let settling: number | null = null;
/** The units whose events wait for an audience. */
const waiting = new WeakMap<object, number[]>();

const now = (): number => Number(process.hrtime.bigint()) / 1e6;

unitPoints.bindStore(frames, (message) => {
  const at = now();
  const { frame } = message as { frame: object };
  return { readAt: readAt.get(frame) ?? at, begunAt: at };
});

unitPoints.subscribe((message) => {
  // The channel has points only.
  const reached = message as UnitPoint;
  const at = now();
  switch (reached.point) {
    case 'read':
      readAt.set(reached.frame, at);
      break;
    case 'begun':
      break;
    case 'asked': {
      const frame = frames.getStore();
      if (!frame) break;
      note('read', reached.id, frame.readAt);
      note('begun', reached.id, frame.begunAt);
      note('asked', reached.id, at);
      break;
    }
    case 'settling':
      note('settling', reached.id, at);
      // Events are published in the same turn; what comes after it belongs to no unit.
      if (settling === null) queueMicrotask(() => (settling = null));
      settling = reached.id;
      break;
    case 'given': {
      if (settling === null) break;
      const ids = waiting.get(reached.audience);
      if (ids) ids.push(settling);
      else waiting.set(reached.audience, [settling]);
      break;
    }
    case 'sent':
      for (const id of waiting.get(reached.audience) ?? []) note('sent', id, at);
      waiting.delete(reached.audience);
      break;
    default:
      for (const id of reached.ids) note(reached.point, id, at);
  }
});

const threads = new BroadcastChannel('parley trace');
const write = (): void => writeFileSync(path.join(dir, `${threadId}.json`), JSON.stringify(noted));

if (isMainThread) {
  let isTraced = false;
  let unanswered: NodeJS.Timeout | undefined;
  const finish = (): void => {
    // Only the store's thread has points beside this one.
    if (isTraced) return;
    isTraced = true;
    write();
    process.send?.('traced');
  };
  process.on('message', (message) => {
    if (message !== 'trace') return;
    threads.postMessage('write');
    unanswered = setTimeout(finish, ANSWER_MS);
  });
  process.channel?.unref();
  threads.addEventListener('message', ({ data }) => {
    clearTimeout(unanswered);
    if (data === 'written') finish();
  });
} else {
  threads.addEventListener('message', () => {
    if (!noted.taken) return;
    threads.postMessage('writing');
    write();
    threads.postMessage('written');
  });
}
// Neither the listener nor the channel keeps a thread alive.
threads.unref();
