import { gzipSync } from 'node:zlib';
import type { Request } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-13: opening a conversation loads less than 230 kB of gzipped script, in at most 12 files', async () => {
  await withStage(async (stage) => {
    const ann = await stage.person('ann');
    const { api } = await ann.actor();
    const { id: chat_id } = await api.startChat({ username: 'ann' });
    await api.sendMessage({ chat_id, text: 'hello' });
    // A new browser with an empty cache.
    const other = await stage.browser();
    await other.signIn('ann');
    const session = await other.context.storageState();
    const fresh = await stage.browser({ storageState: session, url: `${stage.world.url}/docs` });
    const scripts: Request[] = [];
    fresh.page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') scripts.push(request);
    });
    await fresh.open(chat_id);
    await fresh.message('hello').waitFor();
    // As gzip, also if the browser accepts Brotli, which makes them smaller.
    const sizes = await Promise.all(
      scripts.map(async (script) => gzipSync((await (await script.response())?.body()) ?? '', { level: 9 }).length),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(230_000);
    expect(sizes.length).toBeLessThanOrEqual(12);
  });
});
