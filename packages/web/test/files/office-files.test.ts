import { lockedOffice, openDocument, pptx } from '@parley/testing/files/office-files.ts';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { close, documents, plan, sales, talk } from '../setup/documents.ts';
import { withStage } from '../setup/stage.ts';

inChromium('WEB-450: the text of a Word document is shown as messages are, and nothing in it acts', async () => {
  await withStage(async (stage) => {
    const files = { 'plan.docx': plan, 'notes.odt': openDocument('text', '<text:p>From LibreOffice</text:p>') };
    const { page, row, open, text } = await documents(stage, files, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    expect(await row('plan.docx').innerText()).toMatch(/^plan\.docx\nDocument · /);
    await open('plan.docx');
    await text.getByRole('heading', { name: 'The plan' }).waitFor();
    expect(await text.getByRole('listitem').allInnerTexts()).toEqual(['one', 'two']);
    expect(await text.getByText('Buy **two** tables <b>').count()).toBe(1);
    expect(await text.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual(
      ['https://example.org/'],
    );
    // A short row is as wide as the others.
    expect(await text.getByRole('cell').allInnerTexts()).toEqual(['1', '', '2', '3']);
    await text.getByRole('button', { name: 'Copy as CSV' }).click();
    await text.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('A,B\r\n1,\r\n2,3\r\n');
    await text.getByText('Only the text of this file is shown.').waitFor({ state: 'attached' });
    await stage.picture('document-word', page);
    expect(await findings(page)).toEqual([]);
    await close(page);
    await open('notes.odt');
    await text.getByText('From LibreOffice').waitFor();
  });
});

inChromium(
  'WEB-450: the sheets of a workbook are tables in tabs, with letters and numbers that stay in view',
  async () => {
    await withStage(async (stage) => {
      const { page, open, text } = await documents(stage, { 'sales.xlsx': sales });
      await open('sales.xlsx');
      await text.getByRole('cell', { name: 'Item 7', exact: true }).waitFor();
      expect(await text.getByRole('columnheader').allInnerTexts()).toEqual(['A', 'B']);
      expect(await text.getByRole('rowheader').nth(9).innerText()).toBe('10');
      await stage.picture('document-sheet', page);
      expect(await findings(page)).toEqual([]);
      const top = async (part: Locator) => (await part.boundingBox())?.y;
      const before = await top(text.getByRole('columnheader').first());
      await text.getByRole('cell', { name: 'Item 150', exact: true }).scrollIntoViewIfNeeded();
      expect(await top(text.getByRole('columnheader').first())).toBeLessThanOrEqual(before ?? 0);
      expect(await text.getByRole('columnheader').first().isVisible()).toBe(true);
      await text.getByRole('tab', { name: 'Costs' }).click();
      await text.getByRole('cell', { name: '900' }).waitFor();
      expect(await text.getByRole('cell', { name: 'Item 7', exact: true }).count()).toBe(0);
      await page.keyboard.press('ArrowRight');
      await text.getByText('This sheet is empty.').waitFor();
    });
  },
);

inChromium('WEB-450: the slides of a presentation are shown one below the other', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, { 'talk.pptx': talk });
    await open('talk.pptx');
    const first = text.getByRole('group', { name: 'Slide 1 of 2' });
    await first.getByRole('heading', { name: 'The idea' }).waitFor();
    expect(await first.getByRole('listitem').allInnerTexts()).toEqual(['One point', 'Another point']);
    await text.getByRole('group', { name: 'Slide 2 of 2' }).getByText('Thank you').waitFor();
    await stage.picture('document-slides', page);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium(
  'WEB-451: an office file with a password, without text, or that cannot be read says so, and can be downloaded',
  async () => {
    await withStage(async (stage) => {
      const { page, open, text, viewer } = await documents(stage, {
        'locked.docx': lockedOffice(),
        'blank.pptx': pptx('<p:pic/>'),
        'broken.xlsx': 'x\0y',
      });
      for (const [name, words] of [
        ['locked.docx', 'This file opens only with a password.'],
        ['blank.pptx', 'There is no text in this file.'],
        ['broken.xlsx', 'This file can’t be shown here.'],
      ] as const) {
        await open(name);
        await text.getByText(words).waitFor();
        if (name === 'broken.xlsx') {
          await stage.picture('document-office-broken', page);
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            viewer.getByRole('button', { name: 'Download' }).click(),
          ]);
          expect(download.suggestedFilename()).toBe('broken.xlsx');
        }
        await close(page);
      }
    });
  },
);

inChromium('WEB-451: if the script that reads office files does not load, the app offers to try again', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, { 'plan.docx': plan });
    stage.watch.expect(/ERR_FAILED/);
    await page.route('**/office-worker-*', async (route) => route.abort());
    await open('plan.docx');
    await text.getByText('Can’t reach the service.').waitFor();
    await page.unroute('**/office-worker-*');
    await text.getByRole('button', { name: 'Try again' }).click();
    await text.getByRole('heading', { name: 'The plan' }).waitFor();
  });
});
