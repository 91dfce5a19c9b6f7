// Loads that leave the service no advantage: few senders, frames of each side's own size, and a server that has just
// started. Each round starts every side anew. With an older build, that is measured instead of the relay.
import type { Bench } from '../bench.ts';
import type { Cores } from '../load/jobs.ts';
import type { Generator } from '../processes/generator.ts';
import type { Figures, Line, Scenario } from '../scenario.ts';
import { rounded } from '../scenario.ts';
import type { RunningService } from '../service/running-service.ts';
import { largest, median, ratio, smallest } from '../statistics.ts';
import { alternate, coresText } from './rounds.ts';

export type Start = { service: RunningService } | { relay: 'naive' };

/** What one round on one side measured. */
export interface Measured {
  seconds: number;
  /** Messages or deliveries. */
  count: number;
  cores: Cores;
  p50Ms?: number | undefined;
  p99Ms?: number | undefined;
}

interface Load {
  key: string;
  title: string;
  /** What is counted. */
  unit: 'message' | 'delivery' | 'client';
  /** The rate is given by the load, and so no figure. */
  isPaced?: boolean;
  /** The rate that the service must reach, as a part of the relay's. */
  ofNaive?: number;
  run(bench: Bench, generator: Generator, start: Start): Promise<Measured>;
}

const sides = {
  service: async (bench: Bench): Promise<Start> => ({ service: await bench.freshService() }),
  older: async (bench: Bench): Promise<Start> => ({ service: await bench.olderService() }),
  naive: async (): Promise<Start> => ({ relay: 'naive' }),
};

const perSecond = { message: 'messages/s', delivery: 'deliveries/s', client: 'clients/s' };

type Side = keyof typeof sides;

/** Processor time of the server for each message or delivery; microseconds. */
const cpuOf = ({ cores, seconds, count }: Measured): number | undefined =>
  cores.server === undefined ? undefined : (1e6 * cores.server * seconds) / count;

const aspects = {
  per_s: (one: Measured) => one.count / one.seconds,
  cpu_us: cpuOf,
  p50_ms: (one: Measured) => one.p50Ms,
  p99_ms: (one: Measured) => one.p99Ms,
};

type Aspect = keyof typeof aspects;

export function firstSeconds(load: Load): Scenario {
  return {
    key: load.key,
    title: load.title,
    async run(bench) {
      const other: Side = bench.isAgainst ? 'older' : 'naive';
      const round = (side: Side) => () =>
        bench.alone(async (alone) => load.run(alone, alone.generator(), await sides[side](alone)));
      const results = await alternate<Measured>(bench, { service: round('service'), [other]: round(other) });
      const [ours = [], theirs = []] = [results['service'], results[other]];
      for (const [side, rounds] of Object.entries(results)) noteSide(bench, side, rounds);
      const names = new Map<Aspect, string>([
        ...(load.isPaced ? [] : [['per_s', perSecond[load.unit]] as const]),
        ['cpu_us', `µs of processor time a ${load.unit}`],
        ['p50_ms', 'ms p50'],
        ['p99_ms', 'ms p99'],
      ]);
      const figures: Record<string, number | null> = {};
      const lines: Line[] = [];
      for (const [aspect, unit] of names) {
        const valueOf = (one: Measured | undefined) => one && aspects[aspect](one);
        const [own, others] = [ours, theirs].map((rounds) => rounds.flatMap((one) => valueOf(one) ?? []));
        if (own === undefined || others === undefined || own.length === 0) continue;
        const ratios = ours.flatMap((one, round) => ratio(valueOf(one), valueOf(theirs[round])) ?? []);
        figures[`service_${aspect}`] = rounded(median(own), 2);
        figures[`${other}_${aspect}`] = rounded(median(others), 2);
        figures[`ratio_${aspect}`] = rounded(median(ratios), 3);
        const range = `× (${fixed(smallest(ratios))}–${fixed(largest(ratios))})`;
        const target = targetOf(bench, load, aspect);
        lines.push(
          { figure: 'service', value: median(own), unit },
          { figure: other === 'older' ? 'older build' : 'naive relay', value: median(others), unit },
          {
            figure: `service / ${other === 'older' ? 'older build' : 'naive relay'}`,
            value: median(ratios),
            unit: range,
            ...target,
          },
        );
      }
      return { figures: figures satisfies Figures, lines };
    },
  };
}

/** Against the relay a part of its rate, against an older build the limit of processor time, if one was given. */
function targetOf(bench: Bench, load: Load, aspect: Aspect): Pick<Line, 'target' | 'isLimit'> {
  if (aspect === 'cpu_us' && bench.mostCpu !== undefined) return { target: { atMost: bench.mostCpu }, isLimit: true };
  return aspect === 'per_s' && !bench.isAgainst && load.ofNaive ? { target: { atLeast: load.ofNaive } } : {};
}

const fixed = (value: number | undefined): string => (value === undefined ? 'n/a' : value.toFixed(2));

function noteSide(bench: Bench, side: string, rounds: readonly Measured[]): void {
  const last = rounds.at(-1);
  if (last === undefined) return;
  const values = (aspect: Aspect, digits: number) =>
    rounds.map((one) => aspects[aspect](one)?.toFixed(digits) ?? 'n/a').join(', ');
  bench.note(
    `${side}: ${values('per_s', 0)} /s; ${values('cpu_us', 1)} µs each; p99 ${values('p99_ms', 1)} ms; ` +
      coresText(last.cores, 'server'),
  );
}
