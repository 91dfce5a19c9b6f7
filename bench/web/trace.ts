// Reads a trace of Chromium: what the page's main thread did for each frame of the WebSocket.

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  /** Of it, what the thread has worked: no wait for the compositor, and nothing that other programs do. */
  tdur?: number;
}

/** Milliseconds of work of the main thread for each received frame: all its tasks from the one that took it up to the next. */
export function mainThreadPerFrame(trace: string): number[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }; // Chromium's own format
  const received = traceEvents.filter(({ name }) => name === 'WebSocketReceive').toSorted((a, b) => a.ts - b.ts);
  const [first] = received;
  const isOfPage = ({ pid, tid }: TraceEvent): boolean => pid === first?.pid && tid === first.tid;
  const tasks = traceEvents
    .filter((event) => event.name === 'RunTask' && event.ph === 'X' && isOfPage(event))
    .toSorted((a, b) => a.ts - b.ts);
  const busyMs = received.map(() => 0);
  let frame = -1;
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    // A frame is taken within its task.
    while ((received[frame + 1]?.ts ?? Infinity) <= ts + dur) frame += 1;
    if (frame >= 0) busyMs[frame] = (busyMs[frame] ?? 0) + tdur / 1_000;
  }
  // Behind the last one is whatever came then.
  return busyMs.slice(0, -1);
}
