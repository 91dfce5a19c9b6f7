import { isHere } from '@parley/testing/programs/programs.ts';
import { chromium } from 'playwright-core';
import buildApp from './build-app.ts';
import { chromiumPath, SERVED_AT, wholeChromiumPath } from './chromium-place.ts';

/** What Chromium shall not do for each new context; together half of a small test's processor time. */
const needless = [
  // Start a second renderer, for the suggestions of the address bar, which a test never opens.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Start a third renderer, in case the test goes on to another site.
  'SpareRendererForSitePerProcess',
  // Our list replaces Playwright's: what of it concerns pages of this computer.
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'DestroyProfileOnBrowserClose',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'AimEnabled',
  'MediaRouter',
  'LensOverlay',
];

/**
 * Before the Chromium tests: builds the app and starts the browsers of the run. Returns a function that closes them.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await buildApp();
  // In CI, the only place where these tests begin without Chromium, each then fails and says how to install it.
  if (!isHere('chromium')) return undefined;
  const args = [
    '--no-sandbox',
    // The microphone hears a tone. A page may use it if its test permits that.
    '--use-fake-device-for-media-stream',
    `--disable-features=${needless.join(',')}`,
  ];
  const launch = async (executablePath: string) => chromium.launchServer({ executablePath, args });
  const [place, wholePlace] = [chromiumPath(), wholeChromiumPath()];
  const shell = await launch(place);
  const whole = wholePlace === place ? shell : await launch(wholePlace);
  process.env[SERVED_AT.shell] = shell.wsEndpoint();
  process.env[SERVED_AT.whole] = whole.wsEndpoint();
  return async () => {
    await Promise.all(new Set([shell, whole]).values().map(async (server) => server.close()));
  };
}
