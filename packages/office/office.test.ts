import {
  bombDocx,
  docx,
  listItem,
  lockedOffice,
  openDocument,
  openTable,
  paragraphs,
  pptx,
  shape,
  slideTable,
  textRows,
  wordTable,
  xlsx,
} from '@parley/testing/files/office-files.ts';
import { zip } from '@parley/testing/files/zips.ts';
import { expect, test } from 'vitest';
import { officeKind, OfficeFailure, readOffice, type OfficeBounds, textOf } from './index.ts';

const bounds: OfficeBounds = { characters: 100_000, rows: 500, columns: 50 };
const read = async (bytes: Uint8Array, other: Partial<OfficeBounds> = {}) =>
  readOffice(new Uint8Array(bytes), { ...bounds, ...other });
const blocksOf = async (bytes: Uint8Array) => {
  const [part] = (await read(bytes)).parts;
  return part && 'blocks' in part ? part.blocks : [];
};
const rowsOf = async (bytes: Uint8Array, other: Partial<OfficeBounds> = {}) => {
  const [sheet] = (await read(bytes, other)).parts;
  return sheet && 'rows' in sheet ? sheet : undefined;
};
/** How reading ends, as a text. */
const outcome = async (bytes: Uint8Array) =>
  read(bytes).then(
    ({ isCut }) => (isCut ? 'cut' : 'read'),
    (error: unknown) => (error instanceof OfficeFailure ? (error.isLocked ? 'locked' : 'broken') : error),
  );

const styled = (style: string, text: string) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

test('FILE-27: of a Word document headings, lists and their numbers, looks, links and tables are read', async () => {
  const cell = (text: string) => `<w:tc><w:tcPr/>${paragraphs(...text.split('/'))}</w:tc>`;
  const styles =
    '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>' +
    '<w:style w:styleId="Own"><w:basedOn w:val="berschrift2"/></w:style>';
  const content =
    styled('Own', 'Goals') +
    '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:rPr><w:b w:val="0"/><w:i/></w:rPr><w:t> &amp; more</w:t></w:r>' +
    '<w:hyperlink r:id="l1"><w:r><w:t>here</w:t><w:br/><w:t>there</w:t></w:r></w:hyperlink></w:p>' +
    listItem('1', 0, 'a') +
    listItem('1', 1, 'inner') +
    listItem('1', 0, 'b') +
    paragraphs('between') +
    listItem('1', 0, 'c') +
    listItem('2', 0, 'dot') +
    `<w:tbl><w:tr>${cell('A')}${cell('B/C')}</w:tr><w:tr>${cell('1')}</w:tr></w:tbl>` +
    `<w:tbl><w:tr>${cell('other')}</w:tr></w:tbl>`;
  const lists = { 1: ['decimal', 'bullet'], 2: ['bullet'] } as const;
  const blocks = await blocksOf(docx(content, { lists, links: { l1: 'https://example.org/' }, styles }));
  const text = (text: string) => [{ text }];
  expect(blocks).toEqual([
    { type: 'paragraph', heading: 2, spans: text('Goals') },
    {
      type: 'paragraph',
      spans: [
        { text: 'bold', isBold: true },
        { text: ' & more', isItalic: true },
        { text: 'here\nthere', href: 'https://example.org/' },
      ],
    },
    { type: 'paragraph', list: { level: 0, number: 1 }, spans: text('a') },
    { type: 'paragraph', list: { level: 1 }, spans: text('inner') },
    { type: 'paragraph', list: { level: 0, number: 2 }, spans: text('b') },
    { type: 'paragraph', spans: text('between') },
    { type: 'paragraph', list: { level: 0, number: 3 }, spans: text('c') },
    { type: 'paragraph', list: { level: 0 }, spans: text('dot') },
    { type: 'table', rows: [[text('A'), text('B\nC')], [text('1')]] },
    { type: 'table', rows: [[text('other')]] },
  ]);
});

test('FILE-27: of a Word document what its author has deleted, and what repeats a shape for old programs, is not read', async () => {
  const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
  const twice = `<mc:AlternateContent><mc:Choice>${run('box')}</mc:Choice><mc:Fallback>${run('box')}</mc:Fallback></mc:AlternateContent>`;
  const field = '<w:r><w:instrText>PAGE</w:instrText></w:r>';
  const deleted = '<w:del><w:r><w:delText>old</w:delText></w:r></w:del>';
  expect(textOf(await read(docx(`<w:p>${run('new ')}${deleted}${field}${twice}</w:p>`)))).toBe('new box');
});

test('FILE-27: of a workbook each shown sheet is read, its numbers as texts, its days as ISO 8601 writes them', async () => {
  const cells =
    '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="C2" s="1"><v>46353.1875</v></c><c r="D2" s="2"><v>0.256</v></c></row>' +
    '<row r="3"><c r="B3"/></row>' +
    '<row r="7"><c r="A7" t="b"><v>1</v></c><c r="B7"><v>0.30000000000000004</v></c><c r="C7" t="e"><v>#REF!</v></c>' +
    '<c r="D7" t="str"><f>A1</f><v>sum</v></c><c r="E7" s="3"><v>1.25</v></c><c r="F7" s="4"><v>1234.5</v></c></row>';
  const formats = ['General', 'dd/mm/yyyy hh:mm', '0.0%', '[h]:mm', '#,##0.00&quot; days&quot;'];
  const file = xlsx({
    sheets: { Sales: cells, Secret: textRows(['hidden']), Other: textRows(['x']) },
    shared: ['<t>zero</t>', '<r><t>ri</t></r><r><t>ch</t></r><rPh><t>aloud</t></rPh>'],
    formats,
    hidden: ['Secret'],
  });
  expect((await read(file)).parts).toEqual([
    {
      type: 'sheet',
      name: 'Sales',
      isCut: false,
      asides: [],
      rows: [
        { number: 2, cells: ['rich', '', '2026-11-27 04:30', '25.6%'] },
        { number: 7, cells: ['TRUE', '0.3', '#REF!', 'sum', '30:00', '1,234.50 days'] },
      ],
    },
    { type: 'sheet', name: 'Other', isCut: false, asides: [], rows: [{ number: 1, cells: ['x'] }] },
  ]);
  const old = xlsx({
    sheets: { S: '<row><c s="0"><v>0</v></c></row>' },
    formats: ['d'],
    properties: '<workbookPr date1904="1"/>',
  });
  expect((await rowsOf(old))?.rows[0]?.cells).toEqual(['1904-01-01']);
});

test('FILE-27: of a presentation the slides are read in their order, their titles first', async () => {
  const file = pptx(shape('body', 'One', 'Two') + shape('title', 'The idea') + shape(null, 'Aside'), slideTable(['x']));
  expect(textOf(await read(file))).toBe('# Slide 1\n\n## The idea\n\n- One\n- Two\n\nAside\n\n# Slide 2\n\nx');
});

test('FILE-27: OpenDocument texts, sheets and presentations are read', async () => {
  const styles =
    '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>' +
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1"/></text:list-style>';
  const text =
    '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>' +
    '<text:h text:outline-level="2">Head</text:h>' +
    '<text:p>a\n  <text:span text:style-name="B">b</text:span><text:s text:c="2"/>c<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>' +
    '<text:list text:style-name="L"><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>in</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item></text:list>' +
    '<table:table><table:table-row><table:table-cell><text:p>x</text:p><text:p>y</text:p></table:table-cell></table:table-row></table:table>';
  expect(await blocksOf(openDocument('text', text, { styles }))).toEqual([
    { type: 'paragraph', heading: 2, spans: [{ text: 'Head' }] },
    { type: 'paragraph', spans: [{ text: 'a ' }, { text: 'b', isBold: true }, { text: '  c[1]' }] },
    { type: 'paragraph', list: { level: 0, number: 1 }, spans: [{ text: 'one' }] },
    { type: 'paragraph', list: { level: 1 }, spans: [{ text: 'in' }] },
    { type: 'paragraph', list: { level: 0, number: 2 }, spans: [{ text: 'two' }] },
    { type: 'table', rows: [[[{ text: 'x\ny' }]]] },
  ]);
  const sheet =
    '<table:table table:name="S"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"><text:p>v</text:p></table:table-cell></table:table-row>' +
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>';
  expect(await rowsOf(openDocument('spreadsheet', sheet))).toEqual({
    type: 'sheet',
    name: 'S',
    isCut: false,
    asides: [],
    rows: [1, 2].map((number) => ({ number, cells: ['v', 'v'] })),
  });
  const slides =
    '<draw:page><draw:frame><draw:text-box><text:p>body</text:p></draw:text-box></draw:frame>' +
    '<draw:frame presentation:class="title"><draw:text-box><text:p>Title</text:p></draw:text-box></draw:frame>' +
    '<presentation:notes><text:p>notes</text:p></presentation:notes></draw:page><draw:page><text:p>end</text:p></draw:page>';
  expect(textOf(await read(openDocument('presentation', slides)))).toBe(
    '# Slide 1\n\n## Title\n\nbody\n\n[Speaker notes] notes\n\n# Slide 2\n\nend',
  );
});

test('FILE-27: a sheet is read up to its bounds, and says if that is not all of it', async () => {
  const wide = xlsx({ sheets: { S: textRows(['a', 'b', 'c'], ['d']) } });
  expect(await rowsOf(wide, { columns: 2 })).toMatchObject({ isCut: true, rows: [{ cells: ['a', 'b'] }, {}] });
  expect(await rowsOf(wide, { rows: 1 })).toMatchObject({ isCut: true, rows: [{ number: 1 }] });
  expect(await rowsOf(wide, { rows: 2, columns: 3 })).toMatchObject({ isCut: false });
  const long = async (characters: number) => rowsOf(xlsx({ sheets: { S: textRows(['x'.repeat(characters)]) } }));
  expect(await long(32_767)).toMatchObject({ isCut: false, rows: [{ cells: ['x'.repeat(32_767)] }] });
  expect(await long(32_768)).toMatchObject({ isCut: true, rows: [{ cells: [`${'x'.repeat(32_767)}…`] }] });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`S${at}`, textRows(['x'])]));
  const { parts, isCut } = await read(xlsx({ sheets: many }));
  expect([parts.length, isCut]).toEqual([50, true]);
});

test(
  'FILE-27: a text is read up to its bounds, however many empty elements or bytes it unpacks to',
  { tags: ['long'] },
  async () => {
    const short = await read(docx(paragraphs('x'.repeat(60), 'y'.repeat(60))), { characters: 100 });
    expect([textOf(short).length < 102, short.isCut]).toEqual([true, true]);
    const empty = await read(docx('<w:p/>'.repeat(200)), { characters: 100 });
    expect([empty.parts[0], empty.isCut]).toEqual([{ type: 'text', blocks: [], asides: [] }, true]);
    // What is unpacked is bounded too, also where it has no text.
    expect(await outcome(docx(' '.repeat(33_554_432)))).toBe('cut');
    const bomb = bombDocx();
    expect(bomb.length).toBeLessThan(500_000);
    expect(await outcome(bomb)).toBe('cut');
  },
);

test('FILE-27: the texts that the cells of a workbook share are read first, so a large sheet keeps its headers', async () => {
  const shared = (...numbers: number[]) =>
    `<row>${numbers.map((number) => `<c t="s"><v>${number}</v></c>`).join('')}</row>`;
  const numbers = '<row><c><v>12345</v></c></row>'.repeat(50);
  const large = xlsx({ sheets: { S: shared(0, 1, 0) + numbers }, shared: ['<t>Item</t>', '<t>Price</t>'] });
  const cut = await rowsOf(large, { characters: 100 });
  expect([cut?.rows[0]?.cells, cut?.isCut]).toEqual([['Item', 'Price', 'Item'], true]);
  // Each cell that names a text takes room for it.
  const repeated = xlsx({ sheets: { S: shared(0).repeat(400) }, shared: [`<t>${'x'.repeat(1_000)}</t>`] });
  expect(textOf(await read(repeated)).length).toBeLessThan(101_000);
  // Texts after the first 1,000,000 characters are left out.
  const texts = Array.from({ length: 1_100 }, (_, at) => `<t>${'x'.repeat(996)}${at}</t>`);
  const sheets = { Near: shared(0, 900), Far: shared(0, 1_099), None: shared(0, 5_000_000) };
  const many = await read(xlsx({ sheets: { ...sheets, Other: shared(1) }, shared: texts }));
  expect(many.parts.map((part) => 'isCut' in part && part.isCut)).toEqual([false, true, true, false]);
  expect(many.parts[1]).toMatchObject({ rows: [{ cells: [expect.stringMatching(/^x+0$/)] }] });
});

test('FILE-27: the styles of an OpenDocument file are read without unpacking its text for them', async () => {
  const styles = '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style>';
  const content = `<text:p><text:span text:style-name="B">begin</text:span></text:p>${' '.repeat(17_825_792)}<text:p>end</text:p>`;
  const { parts, isCut } = await read(openDocument('text', content, { styles, isStored: false }));
  expect(parts).toMatchObject([
    { blocks: [{ spans: [{ text: 'begin', isBold: true }] }, { spans: [{ text: 'end' }] }] },
  ]);
  expect(isCut).toBe(false);
});

test('FILE-27: a paragraph, shape or row of more than 100,000 elements is cut, and the document or sheet says so', async () => {
  const many = (element: string) => element.repeat(100_001);
  const files = {
    word: docx(`<w:p><w:r><w:t>x</w:t></w:r>${many('<w:r/>')}</w:p>`),
    slide: pptx(`<p:sp><p:txBody><a:p><a:r><a:t>x</a:t></a:r>${many('<a:r/>')}</a:p></p:txBody></p:sp>`),
    text: openDocument('text', `<text:p>x${many('<text:span/>')}</text:p>`),
    shared: xlsx({ sheets: { S: '<row><c t="s"><v>0</v></c></row>' }, shared: [`<t>x</t>${many('<r/>')}`] }),
  };
  for (const [name, file] of Object.entries(files)) expect([name, await outcome(file)]).toEqual([name, 'cut']);
  const sheet = xlsx({ sheets: { S: `<row><c><v>1</v></c>${many('<c/>')}</row>`, Other: textRows(['x']) } });
  expect((await read(sheet)).parts).toMatchObject([{ isCut: true, rows: [{ cells: ['1'] }] }, { isCut: false }]);
});

test('FILE-27: only the first 255 characters of the code of a number format count', async () => {
  const formats = [`0${'#'.repeat(253)}%`, `0${'#'.repeat(254)}%`];
  const cells = '<row><c s="0"><v>0.5</v></c><c s="1"><v>0.5</v></c></row>';
  expect((await rowsOf(xlsx({ sheets: { S: cells }, formats })))?.rows[0]?.cells).toEqual(['050%', '01']);
});

test.each([
  ['a Word document', (...rows: string[][]) => docx(wordTable(...rows) + paragraphs('end'))],
  ['a presentation', (...rows: string[][]) => pptx(slideTable(...rows) + shape(null, 'end'))],
  ['an OpenDocument text', (...rows: string[][]) => openDocument('text', `${openTable(...rows)}<text:p>end</text:p>`)],
])(
  'FILE-27: a table in %s is read up to as many rows and columns as a sheet, and then the text after it',
  async (_, file) => {
    const shown = async (rows: number, columns: number) => {
      const document = await read(file(['a', 'b'], ['c', 'd'], ['e', 'f']), { rows, columns });
      return [textOf(document).replace('# Slide 1\n\n', ''), document.isCut];
    };
    expect(await shown(3, 2)).toEqual(['a | b\nc | d\ne | f\n\nend', false]);
    expect(await shown(2, 2)).toEqual(['a | b\nc | d\n\nend', true]);
    expect(await shown(3, 1)).toEqual(['a\nc\ne\n\nend', true]);
  },
);

test('FILE-27: entities are not expanded, and elements without end are broken', async () => {
  const entity = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  expect(textOf(await read(docx(`${entity}${paragraphs('x&b;&#65;')}`)))).toBe('x&b;A');
  expect(await outcome(docx('<w:r>'.repeat(300)))).toBe('broken');
});

test('FILE-27: a file with a password is locked, anything else is broken', async () => {
  const word = docx(paragraphs('text'));
  expect(await outcome(word)).toBe('read');
  expect(await outcome(lockedOffice())).toBe('locked');
  expect(await outcome(openDocument('text', '', { isLocked: true }))).toBe('locked');
  const plain = { '_rels/.rels': '<Relationships/>' };
  expect(await outcome(zip(plain, { isLocked: true }))).toBe('locked');
  for (const bytes of [
    zip(plain),
    zip({}),
    zip({ 'a.txt': 'x' }),
    word.subarray(0, word.length - 30),
    Buffer.from('PK\x03\x04'),
    Buffer.alloc(0),
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  ])
    expect(await outcome(bytes)).toBe('broken');
  // Every byte may be wrong: reading ends, and throws nothing else.
  for (let at = 0; at < word.length; at += 7) {
    const damaged = Buffer.from(word);
    damaged.writeUInt8((damaged[at] ?? 0) ^ 0xff, at);
    expect(['read', 'cut', 'broken', 'locked']).toContain(await outcome(damaged));
  }
});

test.each([
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'x', 'document'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'x.odt', 'spreadsheet'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'x', 'presentation'],
  ['application/zip', 'Plan.DOCX', 'document'],
  ['application/x-cfb', 'locked.xlsx', 'spreadsheet'],
  ['application/octet-stream', 'talk.odp', 'presentation'],
  ['application/zip', 'photos.zip', null],
  ['application/x-cfb', 'old.doc', null],
  ['text/plain', 'a.docx', null],
])('FILE-27: a file of the type %s with the name %s is of the kind %s', (type, name, kind) => {
  expect(officeKind(type, name)).toBe(kind);
});
