import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Front } from './front.ts';
import type { Person } from './person.ts';
import type { Stage } from './stage.ts';

/** The addresses in the browser's caches, by cache name. */
export const kept = (page: Page): Promise<Record<string, string[]>> =>
  page.evaluate(async () => {
    const found: Record<string, string[]> = {};
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      found[name] = requests.map(({ url }) => new URL(url).pathname);
    }
    return found;
  });

/** Waits until the app is cached for offline use; returns the name of the build's cache. */
export async function keptBuild(page: Page, former?: string): Promise<string> {
  const isKept = async () => {
    const all = Object.entries(await kept(page));
    return all.length === 1 && all[0]?.[0] !== former && all[0]?.[1].includes('/');
  };
  await expect.poll(isKept, { timeout: 30_000 }).toBe(true);
  return Object.keys(await kept(page)).join();
}

/** Takes the person's network, and the service behind `front`, away. */
export async function goOffline(stage: Stage, front: Front, { context }: Person): Promise<void> {
  stage.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket connection/);
  await context.setOffline(true);
  front.takeDown();
}
