// The setup of tests in a real Chromium: the browser (here, started by global-setup.ts), a world with people at their pages
// (stage.ts, person.ts), and the built app (global-setup.ts).
import { use } from '@parley/testing/programs/programs.ts';
import { type Browser, chromium } from 'playwright-core';
import { test } from 'vitest';
import { SERVED_AT } from './chromium-place.ts';

/** A test in Chromium. Its project asks for it: vitest.config.ts. */
export const inChromium = test;

export type BrowserKind = keyof typeof SERVED_AT;

const connected: Partial<Record<BrowserKind, Promise<Browser>>> = {};

/** A Chromium of the run; each person has their own browser context. */
export async function openBrowser(kind: BrowserKind = 'shell'): Promise<Browser> {
  use('chromium');
  const address = process.env[SERVED_AT[kind]];
  if (address === undefined) throw new Error('Chromium runs only in the projects that start it: vitest.config.ts');
  return (connected[kind] ??= chromium.connect(address));
}
