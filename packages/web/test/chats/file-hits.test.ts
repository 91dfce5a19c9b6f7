import { docx, paragraphs } from '@parley/testing/files/office-files.ts';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { documents } from '../setup/documents.ts';
import { withStage } from '../setup/stage.ts';

const plan = docx(paragraphs('The *plan* for the harbour', 'Two albatrosses **nest** there until March.'));

inChromium('a result in a file names the file, and opens the message and the file', async () => {
  await withStage(async (stage) => {
    const { page, chat_id, viewer, bob } = await documents(stage, { 'plan.docx': plan, 'other.txt': 'nothing' });
    for (let at = 0; at < 60; at += 1) await bob.api.sendMessage({ chat_id, text: `later ${at}` });
    const { files, search } = stage.world.service;
    await files.texts.tend();
    await search.tend();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('albatross');
    const row = page.getByRole('option').filter({ hasText: 'albatross' });
    await row.waitFor();
    expect(await row.getByRole('img', { name: 'File' }).count()).toBe(1);
    expect(await row.getByText('plan.docx').count()).toBe(1);
    expect(await row.getByText('The *plan* for').innerText()).toContain('The *plan* for the harbour Two');
    expect(await row.locator('mark').allInnerTexts()).toEqual(['albatrosses']);
    expect(await findings(page)).toEqual([]);
    await stage.picture('file-hit', page);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await stage.picture(`file-hit-${colorScheme}`, page);
    }
    await row.click();
    await page.getByRole('dialog', { name: 'plan.docx', exact: true }).waitFor();
    await viewer.getByText('albatrosses').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await page.getByText('see these').waitFor();
  });
});

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

inChromium('on a phone a result in a file fits the screen', async () => {
  await withStage(async (stage) => {
    const name = `${'a long name of a file '.repeat(5)}.docx`;
    const { page, viewer } = await documents(stage, { [name]: plan }, phone);
    await stage.world.service.files.texts.tend();
    await stage.world.service.search.tend();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('albatross');
    const row = page.getByRole('option').filter({ hasText: 'albatross' });
    await row.waitFor();
    const width = page.viewportSize()?.width ?? 0;
    const box = await row.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await stage.picture('file-hit-phone', page);
    await row.click();
    await viewer.getByText('albatrosses').waitFor();
  });
});
