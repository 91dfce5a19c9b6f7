import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const asked = process.env['ARTIFACTS'];

/** Saves a picture of what a test shows, for people who look at it: only if `ARTIFACTS` names a folder for them. */
export async function picture(name: string, shown: Page | Locator): Promise<void> {
  if (asked !== undefined) await saved(join(asked, `${name}.png`), shown);
}

/** Where the files that explain a failure are saved, without an extension. */
export const placeOfFailure = (name: string): string => join(asked ?? tmpdir(), 'parley-web', name);

/** Saves a picture of what is shown. */
export async function saved(path: string, shown: Page | Locator): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await shown.screenshot({ path, animations: 'disabled', caret: 'initial' });
}
