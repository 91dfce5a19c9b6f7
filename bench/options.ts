import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

export interface Options {
  quick: boolean;
  /** Keys of the scenarios to run; undefined: all. */
  only: string[] | undefined;
  /** Where the figures go as JSON. */
  json: string | undefined;
  service: string;
}

export const usage = `npm run bench -- [--quick] [--only key,key] [--json FILE] [--service ENTRY]
  --quick    one short round of everything, under a minute in all
  --only     some scenarios, by their keys
  --json     writes the figures to a file
  --service  measures another build of the service (its main.ts)`;

export function readOptions(args: string[], keys: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      json: { type: 'string' },
      service: { type: 'string' },
    },
  });
  const only = values.only?.split(',').map((key) => key.trim());
  const unknown = only?.find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`no scenario is called ${unknown}; there are ${keys.join(', ')}`);
  return {
    quick: values.quick,
    only,
    json: values.json,
    service:
      values.service === undefined
        ? fileURLToPath(new URL('../packages/server/main.ts', import.meta.url))
        : path.resolve(values.service),
  };
}
