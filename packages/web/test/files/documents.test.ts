import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  docx,
  listItem,
  lockedOffice,
  openDocument,
  paragraphs,
  pptx,
  shape,
  textRows,
  wordTable,
  xlsx,
} from '@parley/testing/files/office-files.ts';
import { findings } from '../setup/axe.ts';
import { inChromium } from '../setup/chromium.ts';
import { greedyPdf, japanesePdf, lockedPdf, scannedPdf, smallPdf } from '../setup/small-pdf.ts';
import { type Stage, withStage } from '../setup/stage.ts';

const phone = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

type Part = string | Uint8Array<ArrayBuffer>;

/** Bob sends files to a group with Ann, who has it open. */
async function documents(
  stage: Stage,
  files: Readonly<Record<string, Part>>,
  options: Parameters<Stage['person']>[1] = {},
) {
  const ann = await stage.person('ann', options);
  const bob = await stage.world.member('bob');
  const { id: chat_id } = await bob.api.startChat({ usernames: ['ann'], title: 'Papers' });
  const attachments = [];
  for (const [name, content] of Object.entries(files))
    attachments.push({ id: (await bob.api.uploadFile({ file: new File([content], name) })).id });
  const message = await bob.api.sendMessage({ chat_id, text: 'see these', attachments });
  await ann.open(chat_id);
  const { page } = ann;
  const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  const viewer = page.locator('[data-viewer]');
  const open = async (name: string) => {
    await row(name).click();
    await page.getByRole('dialog', { name, exact: true }).waitFor();
  };
  return {
    ann,
    bob,
    page,
    chat_id,
    message,
    row,
    viewer,
    open,
    // Not by its name: the app may be in another language.
    text: viewer.getByRole('region'),
  };
}

const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.locator('[data-viewer]').waitFor({ state: 'detached' });
};

/** Whether something dark is drawn on a page: the words are black, and the paper is white. */
const isDrawn = async (pdfPage: Locator): Promise<boolean> =>
  pdfPage.evaluate((element) => {
    const drawing = element.querySelector('canvas');
    if (!drawing || drawing.width === 0) return false;
    const copy = new OffscreenCanvas(drawing.width, drawing.height);
    const context = copy.getContext('2d');
    context?.drawImage(drawing, 0, 0);
    const { data = [] } = context?.getImageData(0, 0, copy.width, copy.height) ?? {};
    return data.some((value, at) => at % 4 === 1 && value < 40 && data[at + 2] === 255);
  });

inChromium('WEB-394: the row of a document says what it is, and opens or downloads it', async () => {
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

inChromium('WEB-396: a table of values is a table, whose head stays in view', async () => {
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

const pages = Array.from({ length: 30 }, (_, at) => ({ text: `Page number ${at + 1}` }));

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
  inChromium(
    `WEB-399: a PDF is zoomed by keys and buttons, and the reader stays where they are, in ${name}`,
    async () => {
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
    },
  );

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

const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>The plan</w:t></w:r></w:p>';
const link = (id: string, text: string) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
const plan = docx(
  `${heading}${paragraphs('Buy **two** tables &lt;b&gt;', 'مرحبا بالعالم')}${listItem('1', 0, 'one')}${listItem('1', 0, 'two')}${link('l1', 'our site')}${link('l2', 'run')}` +
    wordTable(['A', 'B'], ['1'], ['2', '3']),
  { lists: { 1: ['bullet'] }, links: { l1: 'https://example.org/', l2: 'javascript:alert(1)' } },
);
const sales = xlsx({
  sheets: {
    Sales: textRows(['Item', 'Price'], ...Array.from({ length: 200 }, (_, at) => [`Item ${at}`, `${at}.50`])),
    Costs: textRows(['Rent', '900']),
    Empty: '',
  },
});
const talk = pptx(
  shape('title', 'The idea') + shape('body', 'One point', 'Another point'),
  shape('title', 'Thank you'),
);

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

inChromium('WEB-394: on a phone a document fits the screen, and Back closes it', async () => {
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
