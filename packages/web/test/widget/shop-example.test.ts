import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { documented } from '@parley/testing/documents/code-blocks.ts';
import { tie } from '@parley/testing/servers/lifeline.ts';
import { processEnv } from '@parley/testing/servers/process-env.ts';
import { Backend } from '@parley/testing/world/backend.ts';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { withStage } from '../setup/stage.ts';
import { Visitor } from './widget-stage.ts';

const file = fileURLToPath(new URL('../../../../examples/widget/shop.mjs', import.meta.url));

/** A port that is free: the service must know the shop's origin before the shop starts. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? String(address.port) : '';
}

inChromium('WIDGET-14: the shop of docs/WIDGET.md runs as printed, and its users chat with the guide', async () => {
  expect(documented('docs/WIDGET.md', 'shop')).toBe(await readFile(file, 'utf8'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  await withStage(
    async (stage) => {
      const { world } = stage;
      await world.person('owner');
      const { key } = await Backend.make(world, 'owner');
      const env = { ...processEnv(), PARLEY_URL: world.url, PARLEY_BACKEND_KEY: key, PORT: port };
      const shop = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
      tie(shop);
      try {
        const { value } = await createInterface({ input: shop.stdout })[Symbol.asyncIterator]().next();
        expect(value).toBe(origin);
        stage.watch.expect(new RegExp(`^asked ${world.url}/`), /favicon/);
        const { page } = await stage.browser({ url: origin });
        const ann = new Visitor(page);
        await ann.open();
        await ann.say('Hello!');
        const replies = ann.frame.locator('[data-message][data-status=complete]');
        await expect.poll(async () => replies.count()).toBe(2);
      } finally {
        shop.kill();
        await once(shop, 'exit');
      }
    },
    { env: { WIDGET_ORIGINS: origin } },
  );
});
