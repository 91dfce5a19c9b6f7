// What the app's tests in a real Chromium are made of: the browser (here), a world with people at their pages
// (stage.ts, person.ts), and the built app (build-app.ts).
import { type Browser, chromium } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { chromiumPath, howToHaveIt, isChromiumThere, whySkipped } from './chromium-place.ts';

/** A test that needs the browser. */
export const inChromium = whySkipped === null ? test : test.skip;

let launched: Promise<Browser> | undefined;

/** One Chromium for a test file; people have contexts of their own in it. */
export async function openBrowser(): Promise<Browser> {
  if (!isChromiumThere) throw new Error(howToHaveIt);
  launched ??= chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return launched;
}

afterAll(async () => {
  await (await launched)?.close();
  launched = undefined;
});
