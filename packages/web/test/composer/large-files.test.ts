import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { Front } from '../setup/front.ts';
import { withStage } from '../setup/stage.ts';

const MIB = 1024 * 1024;
const sum = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** A file that the browser reads itself: the test's connection to it is slow. */
function onDisk(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-large-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

inChromium(
  'WEB-600: the upload of a large file continues after a lost connection, and keeps its progress',
  async () => {
    await withStage(async (stage) => {
      await using front = await Front.of(stage.world.url);
      const ann = await stage.person('ann', { url: front.url });
      const { page } = ann;
      const { api } = await ann.actor();
      const { id: chat_id } = await api.startChat({ username: 'ann' });
      await ann.open(chat_id);
      stage.watch.expect(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|WebSocket connection/);
      const offsets: number[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'PATCH') return;
        offsets.push(Number(request.headers()['upload-offset']));
        // The connection breaks while the second part is sent.
        if (offsets.length === 2) front.takeDown();
      });
      const buffer = randomBytes(12 * MIB);
      const file = onDisk('large.bin', buffer);
      await page.locator('[data-composer=timeline] input[type=file]').setInputFiles(file);
      await page.locator('[data-upload=waiting]').waitFor();
      const bar = page.getByRole('progressbar', { name: 'Uploading large.bin' });
      expect(Number(await bar.getAttribute('value'))).toBeGreaterThanOrEqual(0.4);
      await stage.picture('waiting', page);
      front.heal();
      await page.locator('[data-upload=done]').waitFor();
      expect(offsets.slice(0, 2)).toEqual([0, 8 * MIB]);
      expect(Math.min(...offsets.slice(1))).toBeGreaterThanOrEqual(8 * MIB);
      await ann.composer.fill('here it is');
      await ann.composer.press('Enter');
      await ann.message('here it is').waitFor();
      const [sent] = (await api.getChatHistory({ chat_id })).items.at(-1)?.attachments ?? [];
      expect(sent).toMatchObject({ name: 'large.bin', size: buffer.length });
      const stored = await fetch(new URL(sent?.url ?? '', stage.world.url));
      expect(sum(new Uint8Array(await stored.arrayBuffer()))).toBe(sum(buffer));
    });
  },
);
