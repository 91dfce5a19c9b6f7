import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A running service of a test. */
export interface ThrowawayService {
  readonly url: string;
  stop(): Promise<void>;
}

/** What the names of the temporary folders begin with. */
export const FOLDER_PREFIX = 'parley-test-';

/** Checks that `npm ci` has run in a checkout; returns the Node that this installed. */
export function installedNode(checkout: string): string {
  const program = join(checkout, 'packages/server/main.ts');
  if (!existsSync(program)) throw new Error(`${checkout} is no checkout of Parley: there is no ${program}`);
  const node = join(checkout, 'node_modules/.bin/node');
  if (!existsSync(node)) throw new Error(`run \`npm ci\` in ${checkout} first`);
  return node;
}

/** The environment of a service on a free port, with its data in `folder`; `given` wins. */
export const serviceEnv = (folder: string, given: Readonly<Record<string, string>>): Record<string, string> => ({
  DATA_DIR: join(folder, 'data'),
  HOST: '127.0.0.1',
  PORT: '0',
  DEV_TOKENS: '1',
  RATE_LIMITS: '0',
  LINK_PREVIEWS: '0',
  LOG_LEVEL: 'error',
  ...given,
});
