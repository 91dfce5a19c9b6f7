import { percentile } from '../statistics.ts';

/** The points of a unit that are noted, in the order in which it reaches them. */
export const stepPoints = [
  'read',
  'begun',
  'asked',
  'posted',
  'arrived',
  'taken',
  'ran',
  'committed',
  'returned',
  'settling',
  'sent',
] as const;
export type StepPoint = (typeof stepPoints)[number];

/** For each point the ids of units and when they reached it, in turn: `[id, ms, id, ms, …]`. */
export type Points = Partial<Record<StepPoint, readonly number[]>>;

export interface Step {
  name: string;
  /** Milliseconds; undefined if no unit went through it. */
  p50: number | undefined;
  p99: number | undefined;
}

const names: Record<Exclude<StepPoint, 'read'>, string> = {
  begun: 'frame waits for its turn',
  asked: 'parse, permissions, rates',
  posted: 'waits for the end of the tick',
  arrived: 'hop to the thread of the store',
  taken: 'waits for the batch before',
  ran: 'units of the batch run',
  committed: 'flush of the batch before, commit',
  returned: 'hop back, decoding',
  settling: 'flush',
  sent: 'publish, encode, write to all sockets',
};

/** How long the units took from each point to the next, and in all. Only units that reached all points count. */
export function stepsOf(points: Points): Step[] {
  const times = new Map<number, Map<StepPoint, number>>();
  for (const point of stepPoints) {
    const noted = points[point] ?? [];
    for (let at = 0; at < noted.length; at += 2) {
      const [id = 0, ms = 0] = [noted[at], noted[at + 1]];
      const own = times.get(id) ?? new Map<StepPoint, number>();
      times.set(id, own);
      // A unit whose events go to several audiences is sent with the last of them.
      own.set(point, Math.max(ms, own.get(point) ?? 0));
    }
  }
  const whole = [...times.values()].filter((own) => own.size === stepPoints.length);
  const between = (name: string, from: StepPoint, to: StepPoint): Step => {
    const spans = whole.map((own) => (own.get(to) ?? 0) - (own.get(from) ?? 0));
    return { name, p50: percentile(spans, 0.5), p99: percentile(spans, 0.99) };
  };
  const steps = stepPoints.flatMap((to, at) => {
    const from = stepPoints[at - 1];
    return from === undefined || to === 'read' ? [] : [between(names[to], from, to)];
  });
  return [...steps, between(`in all (${whole.length} units)`, 'read', 'sent')];
}

/** The steps as lines of a table. */
export function stepLines(steps: readonly Step[]): string[] {
  const shown = (ms: number | undefined): string => (ms === undefined ? 'n/a' : ms.toFixed(3)).padStart(9);
  const width = Math.max(...steps.map(({ name }) => name.length));
  return [
    `${''.padEnd(width)}   p50 ms    p99 ms`,
    ...steps.map(({ name, p50, p99 }) => `${name.padEnd(width)}${shown(p50)} ${shown(p99)}`),
  ];
}
