import { existsSync } from 'node:fs';

/** For notifications, and for what a benchmark measures: the browser that people have. */
export const wholeChromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const isChromiumThere = existsSync(wholeChromiumPath);

/** The same engine without a browser's own interface: a quarter less processor time, but no notifications. */
const SHELL = '/usr/bin/chromium-headless-shell';
export const chromiumPath = process.env['CHROMIUM'] === undefined && existsSync(SHELL) ? SHELL : wholeChromiumPath;

/** The environment variables with the addresses at which the run's browsers accept connections. */
export const SERVED_AT = { shell: 'PARLEY_CHROMIUM', whole: 'PARLEY_WHOLE_CHROMIUM' } as const;

export const howToHaveIt = `there is no Chromium at ${wholeChromiumPath} (apt-get install chromium, or set CHROMIUM)`;

/** Why the Chromium tests are skipped; null if they run. In CI they fail instead. */
export const whySkipped: string | null =
  isChromiumThere || process.env['CI'] === 'true' ? null : `The web app’s tests are skipped: ${howToHaveIt}.`;
