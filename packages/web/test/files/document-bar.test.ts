import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { documents, isDrawn, pages } from '../setup/documents.ts';
import { smallPdf } from '../setup/small-pdf.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium('WEB-602, WEB-604: a PDF tells its page, goes to another, and its words are found', async () => {
  await withStage(async (stage) => {
    const { page, open, viewer, text } = await documents(stage, { 'report.pdf': smallPdf(pages) });
    await open('report.pdf');
    const field = viewer.getByRole('textbox', { name: /^Page \d+ of 30$/ });
    await expect.poll(async () => field.inputValue()).toBe('1');
    await field.fill('12');
    await field.press('Enter');
    const sheet = (number: number) => text.getByRole('group', { name: `Page ${number} of 30`, exact: true });
    await expect.poll(async () => isDrawn(sheet(12))).toBe(true);
    await expect.poll(async () => field.inputValue()).toBe('12');
    await field.fill('900');
    await field.press('Enter');
    await expect.poll(async () => field.inputValue()).toBe('30');
    // Two pages have these words in them: 2 and 20 to 29.
    const words = viewer.getByRole('searchbox', { name: 'Search in this file' });
    await words.fill('page  NUMBER 2');
    await viewer.getByText('1 of 11').waitFor();
    await expect.poll(async () => field.inputValue()).toBe('2');
    await words.press('Enter');
    await viewer.getByText('2 of 11').waitFor();
    await expect.poll(async () => sheet(20).locator('rect').count()).toBe(1);
    await expect.poll(async () => field.inputValue()).toBe('20');
    await stage.picture('document-found', page);
    expect(await findings(page)).toEqual([]);
    await viewer.getByRole('button', { name: 'Previous place' }).click();
    await viewer.getByText('1 of 11').waitFor();
    await words.fill('nowhere');
    await viewer.getByText('Not found').waitFor();
    await expect.poll(async () => text.locator('rect').count()).toBe(0);
  });
});

inChromium('WEB-603, WEB-604: the documents of a conversation follow each other, and texts are searched', async () => {
  await withStage(async (stage) => {
    const { page, open, viewer, text, bob, chat_id } = await documents(stage, {
      'a.txt': `needle\n${'hay\n'.repeat(300)}a needle and a Needle\n`,
      'photo.bin': 'x\0y',
      'b.md': '# The *needle*\n\nmore',
    });
    const { id } = await bob.api.uploadFile({ file: new File(['last'], 'c.txt') });
    await bob.api.sendMessage({ chat_id, text: 'one more', attachments: [{ id }] });
    await open('a.txt');
    const previous = viewer.getByRole('button', { name: 'Previous file' });
    const next = viewer.getByRole('button', { name: 'Next file' });
    await viewer.getByRole('searchbox').fill('needle');
    await viewer.getByText('1 of 3').waitFor();
    await viewer.getByRole('searchbox').press('Enter');
    await viewer.getByText('2 of 3').waitFor();
    const marked = () =>
      page.evaluate(() => ['found-in-file', 'current-in-file'].map((name) => CSS.highlights.get(name)?.size ?? 0));
    expect(await marked()).toEqual([3, 1]);
    await stage.picture('document-found-text', page);
    expect(await previous.isDisabled()).toBe(true);
    await next.click();
    await page.getByRole('dialog', { name: 'b.md', exact: true }).waitFor();
    await text.getByRole('heading', { name: 'The needle' }).waitFor();
    expect(await marked()).toEqual([0, 0]);
    await viewer.getByRole('searchbox').fill('the needle');
    await viewer.getByText('1 of 1').waitFor();
    await text.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'c.txt', exact: true }).waitFor();
    await expect.poll(async () => next.isDisabled()).toBe(true);
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog', { name: 'b.md', exact: true }).waitFor();
  });
});

inChromium('WEB-602: on a phone, in the dark and from right to left the bar fits', async () => {
  await withStage(async (stage) => {
    const options = { ...phone, colorScheme: 'dark', locale: 'ar' } as const;
    const { page, open, viewer } = await documents(stage, { 'report.pdf': smallPdf(pages) }, options);
    await open('report.pdf');
    await viewer.getByRole('searchbox').fill('number 1');
    await viewer.locator('rect').first().waitFor();
    await stage.picture('document-bar-phone', page);
    const box = await viewer.getByRole('searchbox').boundingBox();
    expect(box?.width ?? 0).toBeGreaterThan(60);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await findings(page)).toEqual([]);
  });
});
