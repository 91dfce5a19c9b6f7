// Reads a Chromium trace: the main-thread work of the page for each WebSocket frame.

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  /** CPU time of the thread, without waits for the compositor or other programs. */
  tdur?: number;
}

/**
 * Milliseconds of main-thread work per received frame: all tasks from the one that received it up to the next frame.
 */
export function mainThreadPerFrame(trace: string): number[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] }; // Chromium's format
  const received = traceEvents.filter(({ name }) => name === 'WebSocketReceive').toSorted((a, b) => a.ts - b.ts);
  const [first] = received;
  const isOfPage = ({ pid, tid }: TraceEvent): boolean => pid === first?.pid && tid === first.tid;
  const tasks = traceEvents
    .filter((event) => event.name === 'RunTask' && event.ph === 'X' && isOfPage(event))
    .toSorted((a, b) => a.ts - b.ts);
  const busyMs = received.map(() => 0);
  let frame = -1;
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    // A frame is received within its task.
    while ((received[frame + 1]?.ts ?? Infinity) <= ts + dur) frame += 1;
    if (frame >= 0) busyMs[frame] = (busyMs[frame] ?? 0) + tdur / 1_000;
  }
  // The last frame also got all tasks after the measurement.
  return busyMs.slice(0, -1);
}
