// For tests: conversations with files that open in the viewer, and such files.
import {
  docx,
  listItem,
  paragraphs,
  pptx,
  shape,
  textRows,
  wordTable,
  xlsx,
} from '@parley/testing/files/office-files.ts';
import type { Locator, Page } from 'playwright-core';
import type { Stage } from './stage.ts';

type Part = string | Uint8Array<ArrayBuffer>;

/** Bob sends files to a group with Ann, who has it open. */
export async function documents(
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

export const close = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.locator('[data-viewer]').waitFor({ state: 'detached' });
};

/** Whether something dark is drawn on a page: the words are black, and the paper is white. */
export const isDrawn = async (pdfPage: Locator): Promise<boolean> =>
  pdfPage.evaluate((element) => {
    const drawing = element.querySelector('canvas');
    if (!drawing || drawing.width === 0) return false;
    const copy = new OffscreenCanvas(drawing.width, drawing.height);
    const context = copy.getContext('2d');
    context?.drawImage(drawing, 0, 0);
    const { data = [] } = context?.getImageData(0, 0, copy.width, copy.height) ?? {};
    return data.some((value, at) => at % 4 === 1 && value < 40 && data[at + 2] === 255);
  });

/** The texts of a PDF's pages. */
export const pages = Array.from({ length: 30 }, (_, at) => ({ text: `Page number ${at + 1}` }));

const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>The plan</w:t></w:r></w:p>';
const link = (id: string, text: string) =>
  `<w:p><w:hyperlink r:id="${id}"><w:r><w:t>${text}</w:t></w:r></w:hyperlink></w:p>`;
/** A Word document. */
export const plan = docx(
  `${heading}${paragraphs('Buy **two** tables &lt;b&gt;', 'مرحبا بالعالم')}${listItem('1', 0, 'one')}${listItem('1', 0, 'two')}${link('l1', 'our site')}${link('l2', 'run')}` +
    wordTable(['A', 'B'], ['1'], ['2', '3']),
  { lists: { 1: ['bullet'] }, links: { l1: 'https://example.org/', l2: 'javascript:alert(1)' } },
);
/** A workbook. */
export const sales = xlsx({
  sheets: {
    Sales: textRows(['Item', 'Price'], ...Array.from({ length: 200 }, (_, at) => [`Item ${at}`, `${at}.50`])),
    Costs: textRows(['Rent', '900']),
    Empty: '',
  },
});
/** A presentation. */
export const talk = pptx(
  shape('title', 'The idea') + shape('body', 'One point', 'Another point'),
  shape('title', 'Thank you'),
);
