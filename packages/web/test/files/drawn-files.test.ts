import { pdf } from '@parley/testing/files/pdfs.ts';
import { docx, paragraphs } from '@parley/testing/files/office-files.ts';
import sharp from 'sharp';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { documents } from '../setup/documents.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-605: an SVG has its drawing in its row and in the viewer, where its text follows', async () => {
  await withStage(async (stage) => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="20" cy="10" r="8"/><script>alert(1)</script></svg>';
    const { page, row, open, text } = await documents(stage, { 'logo.svg': svg });
    const widthOf = (picture: ReturnType<typeof row>) =>
      picture.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0));
    await expect.poll(async () => widthOf(row('logo.svg').locator('img'))).toBe(512);
    await stage.picture('drawn-row', page);
    await open('logo.svg');
    await expect.poll(async () => widthOf(text.getByRole('img', { name: 'logo.svg' }))).toBe(512);
    await text.getByText('viewBox').waitFor();
    expect(await page.locator('circle[cx="20"]').count()).toBe(0);
    await stage.picture('drawn-viewer', page);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium(
  'WEB-670: a document has the picture of its first page in its row, and the viewer shows the document',
  async () => {
    await withStage(async (stage) => {
      const cover = await sharp({ create: { width: 256, height: 181, channels: 3, background: '#08a' } })
        .jpeg()
        .toBuffer();
      const { page, row, open, text } = await documents(stage, {
        'plan.pdf': pdf({ text: 'Museum at 10' }),
        'plan.docx': docx(paragraphs('Lake at 14'), { parts: { 'docProps/thumbnail.jpeg': cover } }),
        'bare.docx': docx(paragraphs('Nothing')),
      });
      const widthOf = (name: string) =>
        row(name)
          .locator('img')
          .evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0));
      await expect.poll(async () => widthOf('plan.pdf')).toBe(384);
      await expect.poll(async () => widthOf('plan.docx')).toBe(256);
      expect(await row('bare.docx').locator('img').count()).toBe(0);
      await stage.picture('document-rows', page);
      expect(await findings(page)).toEqual([]);
      await open('plan.docx');
      await text.getByText('Lake at 14').waitFor();
      expect(await text.getByRole('img').count()).toBe(0);
    });
  },
);
