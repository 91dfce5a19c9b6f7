import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { inChromium } from '../setup/chromium.ts';
import { smallPhoto } from '../setup/small-photo.ts';
import { type Stage, withStage } from '../setup/stage.ts';
import type { Person } from '../setup/person.ts';

const MIB = 1024 * 1024;
const photo = smallPhoto('photo.png');
const large = { name: 'large.bin', mimeType: 'application/octet-stream', buffer: randomBytes(10 * MIB) };

/** Ann at her own chat, and the id of the chat. */
async function atHome(stage: Stage): Promise<{ ann: Person; chat_id: string }> {
  const ann = await stage.person('ann');
  const { id: chat_id } = await (await ann.actor()).api.startChat({ username: 'ann' });
  await ann.open(chat_id);
  stage.watch.expect(/ERR_ABORTED|ERR_FAILED/);
  return { ann, chat_id };
}

const input = (page: Page) => page.locator('[data-composer=timeline] input[type=file]');

/** The names of the files that the browser keeps. */
const kept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Opening it would make an empty one.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'parley-uploads')) return [];
    const opening = indexedDB.open('parley-uploads');
    const database = await new Promise<IDBDatabase>((resolve) => {
      opening.addEventListener('success', () => resolve(opening.result));
    });
    if (!database.objectStoreNames.contains('files')) return [];
    const all = database.transaction('files').objectStore('files').getAll();
    await new Promise((resolve) => {
      all.addEventListener('success', resolve);
    });
    database.close();
    // What the app stores there.
    return (all.result as { file: File }[]).map(({ file }) => file.name).toSorted();
  });

inChromium('WEB-740: the uploads of a composer go on after a reload, where the service is', async () => {
  await withStage(async (stage) => {
    const { ann, chat_id } = await atHome(stage);
    const { page, composer } = ann;
    const { api } = await ann.actor();
    const offsets: number[] = [];
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    await page.route('**/api/uploads/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      offsets.push(Number(route.request().headers()['upload-offset']));
      // The second part stays under way until the page is left.
      if (offsets.length !== 2) return route.continue();
      return held();
    });
    await composer.fill('both of them');
    await input(page).setInputFiles([photo, large]);
    await page.locator('[data-upload=done]', { hasText: 'photo.png' }).waitFor();
    await isHeld;
    await expect.poll(() => kept(page)).toEqual(['large.bin', 'photo.png']);
    let whole = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/uploadFile')) whole += 1;
    });
    await page.reload();
    await expect.poll(() => page.locator('[data-upload=done]').count()).toBe(2);
    await stage.picture('kept-files', page);
    // The photo was not uploaded again, and of the large file not its first part.
    expect([whole, offsets.filter((offset) => offset === 0)]).toEqual([0, [0]]);
    await expect.poll(() => composer.inputValue()).toBe('both of them');
    await composer.press('Enter');
    await ann.message('both of them').waitFor();
    await expect
      .poll(async () => (await api.getChatHistory({ chat_id })).items.at(-1)?.attachments)
      .toMatchObject([{ name: 'photo.png' }, { name: 'large.bin', size: large.buffer.length }]);
    await expect.poll(() => kept(page)).toEqual([]);
  });
});

inChromium('WEB-740: a file belongs to one page, and passes to another one when that is closed', async () => {
  await withStage(async (stage) => {
    const { ann } = await atHome(stage);
    await input(ann.page).setInputFiles([photo, smallPhoto('second.png', 20)]);
    await expect.poll(() => ann.page.locator('[data-upload=done]').count()).toBe(2);
    await expect.poll(() => kept(ann.page)).toEqual(['photo.png', 'second.png']);
    const tab = await ann.tab();
    await tab.composer.waitFor();
    await ann.page.getByRole('button', { name: 'Remove photo.png' }).click();
    await expect.poll(() => kept(tab.page)).toEqual(['second.png']);
    expect(await tab.page.locator('[data-upload]').count()).toBe(0);
    await ann.page.close();
    await tab.page.locator('[data-upload=done]', { hasText: 'second.png' }).waitFor();
    expect(await tab.page.locator('[data-upload]').count()).toBe(1);
  });
});

inChromium('WEB-740: signing out deletes the files that the browser keeps', async () => {
  await withStage(async (stage) => {
    const { ann } = await atHome(stage);
    const { page } = ann;
    await input(page).setInputFiles([photo]);
    await expect.poll(() => kept(page)).toEqual(['photo.png']);
    await page.getByRole('button', { name: 'Menu' }).first().click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('Username').waitFor();
    await expect.poll(() => kept(page)).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('parley.has-uploads'))).toBe(null);
  });
});
