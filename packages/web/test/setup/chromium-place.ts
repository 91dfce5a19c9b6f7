import { existsSync } from 'node:fs';
import { use } from '@parley/testing/programs/programs.ts';

/** For notifications, and for what a benchmark measures: the browser that people have. */
export const wholeChromiumPath = (): string => use('chromium');

const SHELL = '/usr/bin/chromium-headless-shell';
/** The same engine without a browser's own interface: a quarter less processor time, but no notifications. */
export const chromiumPath = (): string =>
  process.env['CHROMIUM'] === undefined && existsSync(SHELL) ? SHELL : wholeChromiumPath();

/** The environment variables with the addresses at which the run's browsers accept connections. */
export const SERVED_AT = { shell: 'PARLEY_CHROMIUM', whole: 'PARLEY_WHOLE_CHROMIUM' } as const;
