// The setup of tests in a real Chromium: the browser (here, started by global-setup.ts), a world with people at their pages
// (stage.ts, person.ts), and the built app (global-setup.ts).
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import { howToHaveIt, isChromiumThere, SERVED_AT, whySkipped } from './chromium-place.ts';

/** A test that needs Chromium. */
export const inChromium = whySkipped === null ? test : test.skip;

let connected: Promise<Browser> | undefined;

/** The run's Chromium; each person has their own browser context. */
export async function openBrowser(): Promise<Browser> {
  const address = process.env[SERVED_AT];
  if (!isChromiumThere || address === undefined) throw new Error(howToHaveIt);
  connected ??= chromium.connect(address);
  return connected;
}
