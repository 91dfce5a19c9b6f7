import { chromium } from 'playwright-core';
import buildApp from './build-app.ts';
import { chromiumPath, isChromiumThere, SERVED_AT } from './chromium-place.ts';

/**
 * Before the Chromium tests: builds the app and starts the one Chromium of the run. Returns a function that closes it.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  await buildApp();
  // Without Chromium each test is skipped or, in CI, fails and says how to install it.
  if (!isChromiumThere) return undefined;
  const args = [
    '--no-sandbox',
    // The microphone hears a tone. A page may use it if its test permits that.
    '--use-fake-device-for-media-stream',
    // Each context would start a second renderer, for the suggestions of an address bar that nobody sees: 40 % more
    // processor time.
    '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
  ];
  const server = await chromium.launchServer({ executablePath: chromiumPath, args });
  process.env[SERVED_AT] = server.wsEndpoint();
  return () => server.close();
}
