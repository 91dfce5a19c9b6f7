// The setup of tests in a real Chromium: the browser (here, started by global-setup.ts), a world with people at their pages
// (stage.ts, person.ts), and the built app (global-setup.ts).
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import { howToHaveIt, isChromiumThere, SERVED_AT, whySkipped } from './chromium-place.ts';

/** A test that needs Chromium. */
export const inChromium = whySkipped === null ? test : test.skip;

export type BrowserKind = keyof typeof SERVED_AT;

const connected: Partial<Record<BrowserKind, Promise<Browser>>> = {};

/** A Chromium of the run; each person has their own browser context. */
export async function openBrowser(kind: BrowserKind = 'shell'): Promise<Browser> {
  const address = process.env[SERVED_AT[kind]];
  if (!isChromiumThere || address === undefined) throw new Error(howToHaveIt);
  return (connected[kind] ??= chromium.connect(address));
}
