import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { close, documents, isDrawn, pages, plan, sales, talk } from '../setup/documents.ts';
import { smallPdf } from '../setup/small-pdf.ts';
import { withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

inChromium('the row of a document says what it is, and opens or downloads it', async () => {
  await withStage(async (stage) => {
    const { page, row, open, viewer, text } = await documents(stage, { 'main.rs': 'fn main() {}\n', 'a.bin': 'x\0y' });
    expect(await row('main.rs').innerText()).toBe('main.rs\nCode · 13 bytes');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download main.rs' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('main.rs');
    expect(await row('a.bin').count()).toBe(0);

    await open('main.rs');
    await text.getByText('fn main').waitFor();
    // The keyboard scrolls it at once.
    await expect.poll(async () => text.evaluate((element) => element === document.activeElement)).toBe(true);
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      viewer.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(again.suggestedFilename()).toBe('main.rs');
    await close(page);
    await expect.poll(async () => row('main.rs').evaluate((element) => element === document.activeElement)).toBe(true);
    await open('main.rs');
    await viewer.getByRole('button', { name: 'Show in chat' }).click();
    await viewer.waitFor({ state: 'detached' });
  });
});

inChromium('WEB-395: code has colours and line numbers, and no file runs anything', async () => {
  await withStage(async (stage) => {
    const { page, open, text, viewer } = await documents(stage, {
      'page.html': `<!doctype html>\n<script>alert(1)</script>\n<p>${'long '.repeat(80)}</p>\n`,
      'blank.txt': '\n',
      'empty.txt': '',
      'server.log': Array.from({ length: 1_000 }, (_, at) => `${`${at} `.padEnd(399, 'x')}\n`).join(''),
      'not.txt': 'x\0y',
    });
    await open('page.html');
    await text.getByText('<script>').first().waitFor();
    await expect.poll(async () => text.locator('code span span').count()).toBeGreaterThan(3);
    expect(await text.locator('script').count()).toBe(0);
    expect(await text.locator('pre').first().innerText()).toBe('1\n2\n3');
    await stage.picture('document-code', page);
    expect(await findings(page)).toEqual([]);
    await close(page);
    for (const name of ['blank.txt', 'empty.txt']) {
      if (name === 'empty.txt') stage.watch.expect(/416/);
      await open(name);
      await text.getByText('This file is empty.').waitFor();
      await close(page);
    }
    await open('not.txt');
    await text.getByText('This file isn’t text, so it can’t be shown here.').waitFor();
    await close(page);
    const asked = page.waitForRequest('**/files/**');
    await open('server.log');
    expect((await asked).headers()['range']).toBe('bytes=0-262143');
    await text.getByText('This is only the beginning of the file.').waitFor({ state: 'attached' });
    // Of 262,144 bytes the last whole line is the 655th.
    const shown = (await text.locator('pre').textContent()) ?? '';
    expect([shown.length, shown.slice(-399, -395)]).toEqual([655 * 400 - 1, '654 ']);
    expect(await viewer.getByRole('button', { name: 'Zoom in' }).count()).toBe(0);
  });
});

inChromium('WEB-395: a file whose address has expired is loaded at a new one', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, { 'notes.txt': 'still here' });
    stage.watch.expect(/403/);
    const asked: string[] = [];
    await page.route('**/files/**', async (route) => {
      asked.push(route.request().url());
      await (asked.length === 1 ? route.fulfill({ status: 403 }) : route.continue());
    });
    await open('notes.txt');
    await text.getByText('still here').waitFor();
    expect(asked).toHaveLength(2);
  });
});

inChromium('a table of values is a table, whose head stays in view', async () => {
  await withStage(async (stage) => {
    const rows = Array.from({ length: 300 }, (_, at) => `${at},"Item, ${at}",${at * 3}`);
    const { page, open, text } = await documents(stage, { 'sales.csv': `No,Name,Price\n${rows.join('\n')}\n` });
    await open('sales.csv');
    await text.getByRole('cell', { name: 'Item, 7', exact: true }).waitFor();
    expect(await text.getByRole('columnheader').allInnerTexts()).toEqual(['No', 'Name', 'Price']);
    await page.keyboard.press('End');
    await expect.poll(async () => text.evaluate((element) => element.scrollTop)).toBeGreaterThan(1_000);
    const top = async (part: Locator) => (await part.boundingBox())?.y;
    expect(await top(text.getByRole('columnheader').first())).toBe(await top(text));
    await stage.picture('document-table', page);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium('WEB-397: a Markdown file is shown as messages are, but nothing in it acts', async () => {
  await withStage(async (stage) => {
    const { page, open, text } = await documents(stage, {
      'plan.md': '# The plan\n\nSome **bold** words.\n\n{% button action="go" label="Go" /%}\n\n- one\n- two\n',
    });
    await open('plan.md');
    await text.getByRole('heading', { name: 'The plan' }).waitFor();
    expect(await text.locator('strong').innerText()).toBe('bold');
    expect(await text.getByRole('button', { name: 'Go' }).isDisabled()).toBe(true);
    expect(await text.getByRole('listitem').count()).toBe(2);
    await stage.picture('document-markdown', page);
    expect(await findings(page)).toEqual([]);
  });
});

inChromium('on a phone a document fits the screen, and Back closes it', async () => {
  await withStage(async (stage) => {
    const files = {
      'report.pdf': smallPdf(pages.slice(0, 3)),
      'notes.txt': 'x '.repeat(400),
      'main.rs': 'fn main() {}',
      'plan.docx': plan,
      'sales.xlsx': sales,
      'talk.pptx': talk,
    };
    const { page, open, text } = await documents(stage, files, { ...phone, colorScheme: 'dark' });
    await stage.picture('document-rows-phone', page);
    const fits = async () => text.evaluate((element) => element.scrollWidth === element.clientWidth);
    for (const name of Object.keys(files)) {
      await open(name);
      await text.locator('pre, canvas, h2, h3, table, p').first().waitFor();
      if (name === 'report.pdf') await expect.poll(async () => isDrawn(text.getByRole('group').first())).toBe(true);
      expect(await fits()).toBe(true);
      await stage.picture(`document-phone-${name.replace(/.*\./, '')}`, page);
      expect(await findings(page)).toEqual([]);
      if (name === 'report.pdf') {
        await page.getByRole('button', { name: 'Zoom in' }).tap();
        await expect.poll(fits).toBe(false);
      }
      await page.goBack();
      await page.locator('[data-viewer]').waitFor({ state: 'detached' });
    }
  });
});
