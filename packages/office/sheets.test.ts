import { openDocument, relations, textRows, xlsx } from '@parley/testing/files/office-files.ts';
import { zip } from '@parley/testing/files/zips.ts';
import { expect, test } from 'vitest';
import { readOffice, textOf } from './index.ts';

const bounds = { characters: 100_000, rows: 500, columns: 16_384 };
const read = async (bytes: Uint8Array) => readOffice(new Uint8Array(bytes), bounds);
const textIn = async (bytes: Uint8Array) => textOf(await read(bytes));
const sheetOf = (...rows: string[][]) => ({ sheets: { S: textRows(...rows) } });

test('FILE-27: text boxes, charts and comments of a sheet are read, each comment with its cell and author', async () => {
  const file = xlsx({
    ...sheetOf(['a']),
    parts: {
      'xl/worksheets/_rels/sheet0.xml.rels': relations({
        d: ['drawing', '../drawings/drawing1.xml'],
        c: ['comments', '../comments1.xml'],
        t: ['threadedComment', '../threads.xml'],
      }),
      'xl/drawings/drawing1.xml':
        '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp>' +
        '<xdr:sp><xdr:nvSpPr><xdr:cNvPr hidden="1"/></xdr:nvSpPr><xdr:txBody><a:p><a:r><a:t>not shown</a:t></a:r></a:p></xdr:txBody></xdr:sp>' +
        '<xdr:graphicFrame><c:chart r:id="k"/></xdr:graphicFrame></xdr:wsDr>',
      'xl/drawings/_rels/drawing1.xml.rels': relations({ k: ['chart', '/xl/charts/chart1.xml'] }),
      'xl/charts/chart1.xml': '<c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title></c:chart>',
      'xl/comments1.xml':
        '<comments><authors><author>Ann</author></authors><commentList><comment ref="B3" authorId="0"><text><r><t>why?</t></r></text></comment>' +
        '<comment ref="C4" authorId="0"><text><t>for old programs</t></text></comment></commentList></comments>',
      'xl/threads.xml':
        '<ThreadedComments><threadedComment ref="C4"><text>a thread</text></threadedComment></ThreadedComments>',
    },
  });
  expect(await textIn(file)).toBe(
    '# Sheet: S\na\n\nIn a box\n\nSales\n\n[Comment on C4] a thread\n\n[Comment on B3 by Ann] why?',
  );
});

test('FILE-27: shapes in a group on a sheet are read, but none of a hidden group', async () => {
  const box = (text: string) => `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
  const group = (hidden: string, inner: string) =>
    `<xdr:grpSp><xdr:nvGrpSpPr><xdr:cNvPr id="1"${hidden}/></xdr:nvGrpSpPr>${inner}</xdr:grpSp>`;
  const file = xlsx({
    ...sheetOf(['a']),
    parts: {
      'xl/worksheets/_rels/sheet0.xml.rels': relations({ d: ['drawing', '../drawings/drawing1.xml'] }),
      'xl/drawings/drawing1.xml': `<xdr:wsDr>${group(' hidden="1"', box('hidden'))}${group('', box('one') + box('two') + group(' hidden="1"', box('hidden')))}</xdr:wsDr>`,
    },
  });
  expect(await textIn(file)).toBe('# Sheet: S\na\n\none\n\ntwo');
});

test('FILE-27: days begin in 1904 if the workbook says so, whatever its extensions say', async () => {
  const properties = '<workbookPr date1904="1"/><extLst><ext><x15:workbookPr/></ext></extLst>';
  const file = xlsx({ sheets: { S: '<row><c s="0"><v>1</v></c></row>' }, formats: ['d'], properties });
  expect(await textIn(file)).toBe('# Sheet: S\n1904-01-02');
});

test('FILE-27: characters that XML does not allow are read from their escapes', async () => {
  expect(await textIn(xlsx(sheetOf(['one_x000D_\ntwo_x005F_x0041_ _x0041_'])))).toBe('# Sheet: S\none two_x0041_ A');
});

test('FILE-27: empty cells before a text count toward the character limit', async () => {
  const far = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(50);
  const { parts, isCut } = await readOffice(new Uint8Array(xlsx({ sheets: { S: far } })), bounds);
  const cells = parts
    .flatMap((part) => (part.type === 'sheet' ? part.rows : []))
    .reduce((sum, { cells }) => sum + cells.length, 0);
  expect([cells <= 100_000, isCut]).toEqual([true, true]);
});

test('FILE-27: a damaged sheet is left out, and the others are read', async () => {
  const sheets = { Bad: '<row>'.repeat(300), Good: textRows(['fine']) };
  const { parts } = await read(xlsx({ sheets }));
  expect(parts).toMatchObject([
    { name: 'Bad', rows: [], isCut: true },
    { name: 'Good', rows: [{ cells: ['fine'] }], isCut: false },
  ]);
});

test('FILE-27: names of parts are compared without case, and may have backslashes', async () => {
  const entries: Record<string, string> = {
    '_RELS\\.rels': relations({ r: ['officeDocument', '\\xl\\Workbook.xml'] }),
    'XL\\workbook.xml': '<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.RELS': relations({ s: ['worksheet', 'Sheets%201/sheet.xml'] }),
    'xl/sheets 1/SHEET.xml': `<worksheet><sheetData>${textRows(['found'])}</sheetData></worksheet>`,
  };
  expect(await textIn(zip(entries))).toBe('# Sheet: S\nfound');
});

test('FILE-27: sizes and offsets may stand in the fields of ZIP64, and something may stand before the file', async () => {
  const content =
    '<office:document-content><office:body><office:text><text:p>large</text:p></office:text></office:body></office:document-content>';
  const entries = { 'content.xml': content };
  expect(await textIn(zip(entries, { isLarge: true }))).toBe('large');
  expect(await textIn(Buffer.concat([Buffer.from('#!/bin/sh\n'), zip(entries)]))).toBe('large');
});

test('FILE-27: XML may be in UTF-16 or in the encoding that it declares', async () => {
  const content = (declaration: string) =>
    `${declaration}<office:document-content><office:body><office:text><text:p>Grüße</text:p></office:text></office:body></office:document-content>`;
  const wide = Buffer.from(content('<?xml version="1.0" encoding="UTF-16"?>'), 'utf16le');
  const files = [
    wide,
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
    Buffer.from(wide).swap16(),
    Buffer.from(content('<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'),
    Buffer.from(content('<?xml version="1.0" encoding="unheard-of"?>')),
    Buffer.from(content('<?xml version="1.0" encoding="utf-16"?>')),
  ];
  for (const bytes of files) expect(await textIn(zip({ 'content.xml': bytes }))).toBe('Grüße');
});

test('FILE-27: of OpenDocument sheets the hidden ones and copies from other files are not read', async () => {
  const table = (name: string, style: string, cells: string) =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:table-row>${cells}</table:table-row></table:table>`;
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const styles =
    '<style:style style:name="off"><style:table-properties table:display="false"/></style:style><style:style style:name="on"><style:table-properties table:display="true"/></style:style>';
  const content =
    '<table:content-validations><text:p>help</text:p></table:content-validations>' +
    table('Secret', 'off', cell('salary')) +
    table('&apos;file:///a.ods&apos;#$Data', 'on', cell('copied')) +
    table('Shown', 'on', cell('price'));
  expect(await textIn(openDocument('spreadsheet', content, { styles }))).toBe('# Sheet: Shown\nprice');
});

test('FILE-27: of OpenDocument cells days are in ISO 8601, and a value without a text is read', async () => {
  const cell = (attributes: string, text = '') =>
    `<table:table-cell ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;
  const row = [
    cell('office:value-type="date" office:date-value="2026-11-27"', '27.11.26'),
    cell('office:value-type="date" office:date-value="2026-11-27T09:30:00"'),
    cell('office:value-type="float" office:value="1.5"'),
    cell('office:value-type="currency" office:value="2"', '2,00 €'),
    cell('office:value-type="percentage" office:value="0.07"'),
    cell('office:value-type="boolean" office:boolean-value="true"'),
    cell('office:value-type="time" office:time-value="PT36H00M05S"'),
    cell('office:value-type="string" office:string-value="word"'),
  ];
  const sheet = `<table:table table:name="S"><table:table-row>${row.join('')}</table:table-row></table:table>`;
  expect(await textIn(openDocument('spreadsheet', sheet))).toBe(
    '# Sheet: S\n2026-11-27\t2026-11-27 09:30:00\t1.5\t2,00 €\t7%\tTRUE\t36:00:05\tword',
  );
});

test.each(['Infinity', '1e999', '-5', '0', '1.5', 'NaN', 'many', '9007199254740993', '4294967296'])(
  'FILE-27: a number of copies that is %j does not keep an OpenDocument sheet from being read',
  async (number) => {
    const cell = (text: string, repeated = '') =>
      `<table:table-cell${repeated}><office:annotation><text:p>note</text:p></office:annotation><text:p>${text}</text:p></table:table-cell>`;
    const row = (cells: string, repeated = '') => `<table:table-row${repeated}>${cells}</table:table-row>`;
    const columns = ` table:number-columns-repeated="${number}"`;
    const rows = ` table:number-rows-repeated="${number}"`;
    const sheet =
      row(cell('first')) + row(cell('wide', columns) + cell('beyond')) + row(cell('tall'), rows) + row(cell('end'));
    const spaces = `<text:p>a<text:s text:c="${number}"/>b</text:p>`;
    const { parts } = await read(openDocument('spreadsheet', `<table:table table:name="S">${sheet}</table:table>`));
    expect(parts).toMatchObject([{ name: 'S', rows: expect.arrayContaining([{ number: 1, cells: ['first'] }]) }]);
    expect(textOf({ parts, isCut: false })).toContain('wide');
    for (const part of parts)
      for (const { number: at } of part.type === 'sheet' ? part.rows : []) expect(Number.isSafeInteger(at)).toBe(true);
    expect(await textIn(openDocument('text', spaces))).toMatch(/^a {1,100}b$/);
  },
);

test('FILE-27: a wide row of an OpenDocument sheet does not end the sheet, and copies count towards the room', async () => {
  const row = (columns: number, text: string) =>
    `<table:table-row><table:table-cell table:number-columns-repeated="${columns}"/><table:table-cell><text:p>${text}</text:p></table:table-cell></table:table-row>`;
  const sheet = `<table:table table:name="S">${row(20_000, 'beyond')}${row(300, 'far')}${row(0, 'next')}</table:table>`;
  const { parts } = await read(openDocument('spreadsheet', sheet));
  expect(parts).toMatchObject([
    { isCut: true, rows: [{ number: 2 }, { number: 3, cells: [expect.any(String), 'next'] }] },
  ]);
  expect(textOf(await read(openDocument('spreadsheet', sheet)))).toMatch(/\tfar\n\tnext$/);
});
