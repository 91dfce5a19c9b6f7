import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { close, documents, isDrawn, pages } from '../setup/documents.ts';
import { greedyPdf, japanesePdf, lockedPdf, scannedPdf, smallPdf } from '../setup/small-pdf.ts';
import { withStage } from '../setup/stage.ts';

inChromium(
  'WEB-398: the pages of a PDF are drawn as they come near, and its words can be read and selected',
  async () => {
    await withStage(async (stage) => {
      const { page, open, text } = await documents(stage, { 'report.pdf': smallPdf(pages) });
      await open('report.pdf');
      const sheet = (number: number) => text.getByRole('group', { name: `Page ${number} of 30`, exact: true });
      await expect.poll(async () => isDrawn(sheet(1))).toBe(true);
      expect(await sheet(1).locator('text').innerHTML()).toBe('Page number 1');
      expect(await sheet(20).locator('canvas').count()).toBe(0);
      await stage.picture('document-pdf', page);
      expect(await findings(page)).toEqual([]);

      await sheet(20).scrollIntoViewIfNeeded();
      await expect.poll(async () => isDrawn(sheet(20))).toBe(true);
      // Pages that are far away take no memory.
      await sheet(1).locator('canvas').waitFor({ state: 'detached' });
    });
  },
);

inChromium('WEB-398: a scanned page is drawn, and a page says if pictures of it are left out', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, { 'scan.pdf': scannedPdf(), 'plan.pdf': scannedPdf(8_000) });
    await open('scan.pdf');
    await expect.poll(async () => isDrawn(text.getByRole('group'))).toBe(true);
    await close(page);
    await open('plan.pdf');
    await text.getByText('Some pictures can’t be shown here.').waitFor();
    await stage.picture('document-pdf-partial', page);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium('WEB-398: East Asian text is drawn and read, also if the PDF does not contain its encoding', async () => {
  await withStage(async (stage) => {
    const { open, text } = await documents(stage, { 'japan.pdf': japanesePdf() });
    await open('japan.pdf');
    await text.getByText('日本').waitFor();
    await expect.poll(async () => isDrawn(text.getByRole('group'))).toBe(true);
  });
});

inChromium('WEB-398: of a PDF the first 500 pages are shown, and a note says that it goes on', async () => {
  await withStage(async (stage) => {
    const long = Array.from({ length: 501 }, () => ({ text: 'x' }));
    const { open, text } = await documents(stage, { 'long.pdf': smallPdf(long) });
    await open('long.pdf');
    await text.getByText('This is only the beginning of the file.').waitFor({ state: 'attached' });
    expect(await text.getByRole('group').count()).toBe(500);
  });
});

const languages = [
  ['English', 'en'],
  ['Arabic, which runs from right to left', 'ar'],
] as const;

for (const [name, locale] of languages)
  inChromium(`a PDF is zoomed by keys and buttons, and the reader stays where they are, in ${name}`, async () => {
    await withStage(async (stage) => {
      const { page, open, text, viewer } = await documents(stage, { 'report.pdf': smallPdf(pages) }, { locale });
      await open('report.pdf');
      const sheet = text.getByRole('group').nth(9);
      const widthOf = async () => (await sheet.boundingBox())?.width ?? 0;
      await expect.poll(widthOf).toBe(900);
      await sheet.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await expect.poll(async () => isDrawn(sheet)).toBe(true);
      await viewer.getByRole('button').nth(1).click();
      await expect.poll(widthOf).toBe(1_125);
      const middle = async () => {
        const box = await sheet.boundingBox();
        return box !== null && box.y < 420 && box.y + box.height > 420 && Math.abs(box.x + box.width / 2 - 600) < 20;
      };
      await expect.poll(middle).toBe(true);
      await page.keyboard.press('+');
      await page.keyboard.press('+');
      await expect.poll(widthOf).toBeGreaterThan(1_500);
      await expect.poll(middle).toBe(true);
      await page.keyboard.press('0');
      await expect.poll(widthOf).toBe(900);
      await expect.poll(middle).toBe(true);
    });
  });

inChromium('WEB-400: a PDF that cannot be read says so, and can be downloaded', async () => {
  await withStage(async (stage) => {
    const { page, open, text, viewer } = await documents(stage, { 'broken.pdf': '%PDF-1.4\nnothing that a PDF has' });
    await open('broken.pdf');
    await text.getByText('This PDF can’t be shown here.').waitFor();
    await stage.picture('document-pdf-broken', page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('broken.pdf');
  });
});

inChromium('WEB-400: a PDF that needs a password says so', async () => {
  await withStage(async (stage) => {
    const { open, text } = await documents(stage, { 'locked.pdf': lockedPdf() });
    await open('locked.pdf');
    await text.getByText('This PDF opens only with a password.').waitFor();
  });
});

inChromium(
  'WEB-398, WEB-400: a page that needs too much memory says so in its place, and the others are drawn',
  async () => {
    await withStage(async (stage) => {
      const { page, open, text } = await documents(stage, { 'greedy.pdf': greedyPdf() });
      await open('greedy.pdf');
      const sheet = (number: number) => text.getByRole('group', { name: `Page ${number} of 3`, exact: true });
      await sheet(2).getByText('This page can’t be shown here.').waitFor();
      await expect.poll(async () => isDrawn(sheet(1))).toBe(true);
      await sheet(3).scrollIntoViewIfNeeded();
      await expect.poll(async () => isDrawn(sheet(3))).toBe(true);
      await sheet(2).getByText('This page can’t be shown here.').scrollIntoViewIfNeeded();
      await stage.picture('document-pdf-greedy', page);
      expect(await findings(page)).toEqual([]);
    });
  },
);

inChromium('WEB-400: if the script that draws PDFs does not load, the app offers to try again', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, { 'report.pdf': smallPdf(pages.slice(0, 1)) });
    stage.watch.expect(/ERR_FAILED/);
    await page.route('**/pdf-worker-*', async (route) => route.abort());
    await open('report.pdf');
    await text.getByText('Can’t reach the service.').waitFor();
    await page.unroute('**/pdf-worker-*');
    await text.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => isDrawn(text.getByRole('group'))).toBe(true);
  });
});
