// The setup of tests in a real Chromium: the browser (here), a world with people at their pages (stage.ts, person.ts),
// and the built app (build-app.ts).
import { type Browser, chromium } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { chromiumPath, howToHaveIt, isChromiumThere, whySkipped } from './chromium-place.ts';

/** A test that needs Chromium. */
export const inChromium = whySkipped === null ? test : test.skip;

let launched: Promise<Browser> | undefined;

/** One Chromium per test file; each person has their own browser context. */
export async function openBrowser(): Promise<Browser> {
  if (!isChromiumThere) throw new Error(howToHaveIt);
  launched ??= chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  return launched;
}

afterAll(async () => {
  await (await launched)?.close();
  launched = undefined;
});
