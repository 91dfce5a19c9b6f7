import { existsSync } from 'node:fs';

export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
export const isChromiumThere = existsSync(chromiumPath);

/** The environment variable with the address at which the run's Chromium accepts connections. */
export const SERVED_AT = 'PARLEY_CHROMIUM';

export const howToHaveIt = `there is no Chromium at ${chromiumPath} (apt-get install chromium, or set CHROMIUM)`;

/** Why the Chromium tests are skipped; null if they run. In CI they fail instead. */
export const whySkipped: string | null =
  isChromiumThere || process.env['CI'] === 'true' ? null : `The web app’s tests are skipped: ${howToHaveIt}.`;
