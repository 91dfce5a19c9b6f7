import { pptxWith, relations, shape, slideTable } from '@parley/testing/files/office-files.ts';
import { expect, test } from 'vitest';
import { readOffice, textOf } from './index.ts';

const bounds = { characters: 100_000, rows: 500, columns: 50 };
const textIn = async (bytes: Uint8Array) => textOf(await readOffice(new Uint8Array(bytes), bounds));
const line = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

test('FILE-27: speaker notes, comments with their replies, charts and formulas of a slide are read', async () => {
  const more = {
    targets: { a: ['commentAuthors', 'authors.xml'] },
    parts: {
      'ppt/authors.xml':
        '<p:cmAuthorLst><p:cmAuthor id="1" name="Ann"/><p:cmAuthor id="2" name="Bob"/></p:cmAuthorLst>',
      'ppt/slides/_rels/slide1.xml.rels': relations({
        n: ['notesSlide', '../notes1.xml'],
        c: ['comments', '../comments1.xml'],
        k: ['chart', '../chart1.xml'],
      }),
      'ppt/notes1.xml': `<p:notes>${shape(null, 'Say it slowly')}</p:notes>`,
      'ppt/comments1.xml': `<p:cmLst><p:cm authorId="1"><p:text>Too long</p:text></p:cm><p:cm authorId="2"><p:replyLst><p:reply authorId="1"><p:txBody>${line('No')}</p:txBody></p:reply></p:replyLst><p:txBody>${line('Newer')}</p:txBody></p:cm></p:cmLst>`,
      'ppt/chart1.xml': `<c:chart><c:title>${line('Growth')}</c:title></c:chart>`,
    },
  } as const;
  const formula = '<p:sp><p:txBody><a:p><a14:m><m:r><m:t>E=mc²</m:t></m:r></a14:m></a:p></p:txBody></p:sp>';
  const hidden = `<p:sp><p:nvSpPr><p:cNvPr hidden="1"/></p:nvSpPr><p:txBody>${line('not shown')}</p:txBody></p:sp>`;
  const frame = '<p:graphicFrame><a:graphic><c:chart r:id="k"/></a:graphic></p:graphicFrame>';
  expect(await textIn(pptxWith(more, shape('title', 'Idea') + formula + hidden + frame))).toBe(
    '# Slide 1\n\n## Idea\n\nE=mc²\n\nGrowth\n\n[Speaker notes] Say it slowly\n\n[Comment by Ann] Too long\n\n[Comment by Bob] Newer\n\n[Comment by Ann] No',
  );
});

test('FILE-27: a damaged slide is left out, and the others are read', async () => {
  const document = await readOffice(new Uint8Array(pptxWith({}, '<x>'.repeat(300), shape(null, 'fine'))), bounds);
  expect([textOf(document), document.isCut]).toEqual(['# Slide 1\n\n# Slide 2\n\nfine', true]);
});

test('FILE-27: shapes in a group are read, but none of a hidden group', async () => {
  const group = (hidden: string, inner: string) =>
    `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="1"${hidden}/></p:nvGrpSpPr><p:grpSpPr/>${inner}</p:grpSp>`;
  const chart = '<p:graphicFrame><a:graphic><c:chart r:id="k"/></a:graphic></p:graphicFrame>';
  const more = {
    parts: {
      'ppt/slides/_rels/slide1.xml.rels': relations({ k: ['chart', '../chart1.xml'] }),
      'ppt/chart1.xml': `<c:chart><c:title>${line('hidden chart')}</c:title></c:chart>`,
    },
  };
  const inner = `${shape('title', 'Title')}${slideTable(['x', 'y'])}${shape(null, 'inner')}`;
  const slide =
    group(' hidden="1"', shape(null, 'hidden') + chart + group('', shape(null, 'hidden too'))) +
    group('', group('', inner) + group(' hidden="true"', shape(null, 'hidden')));
  expect(await textIn(pptxWith(more, slide))).toBe('# Slide 1\n\n## Title\n\nx | y\n\ninner');
});

test('FILE-27: headers, footers and dates of pages of notes are no notes', async () => {
  const place = (type: string, text: string) => shape(null, text).replace('<p:nvPr>', `<p:nvPr><p:ph type="${type}"/>`);
  const notes = ['hdr', 'ftr', 'dt'].map((type) => place(type, `not ${type}`)).join('');
  const file = pptxWith(
    {
      parts: {
        'ppt/slides/_rels/slide1.xml.rels': relations({ n: ['notesSlide', '../notes1.xml'] }),
        'ppt/notes1.xml': `<p:notes>${notes}${place('body', 'Say it slowly')}${place('sldNum', '7')}</p:notes>`,
      },
    },
    place('ftr', 'Footer of the slide'),
  );
  expect(await textIn(file)).toBe('# Slide 1\n\nFooter of the slide\n\n[Speaker notes]\n- Say it slowly\n\n7');
});
