import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const asked = process.env['ARTIFACTS'];

/** Saves a picture of what a test shows, for people who look at it: only if `ARTIFACTS` names a folder for them. */
export async function picture(name: string, shown: Page | Locator): Promise<void> {
  if (asked !== undefined) await save(asked, name, shown);
}

/** Saves a picture that explains a failure; returns its file. */
export async function pictureOfFailure(name: string, shown: Page): Promise<string> {
  return save(join(asked ?? tmpdir(), 'parley-web'), name, shown);
}

async function save(folder: string, name: string, shown: Page | Locator): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await shown.screenshot({ path, animations: 'disabled', caret: 'initial' });
  return path;
}
