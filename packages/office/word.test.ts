import { docx, paragraphs, relations, textRows, xlsx } from '@parley/testing/files/office-files.ts';
import { expect, test } from 'vitest';
import { readOffice, textOf } from './index.ts';

const bounds = { characters: 100_000, rows: 500, columns: 50 };
const read = async (bytes: Uint8Array) => readOffice(new Uint8Array(bytes), bounds);
const textIn = async (bytes: Uint8Array) => textOf(await read(bytes));
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

test('FILE-27: headers, footers, footnotes, endnotes and comments are read, each as what it is', async () => {
  const section =
    '<w:sectPr><w:headerReference r:id="h"/><w:footerReference w:type="first" r:id="f"/><w:headerReference r:id="h"/><w:titlePg/></w:sectPr>';
  const note = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const notes = (kind: string, text: string) =>
    `<w:${kind}s><w:${kind} w:id="-1">${paragraphs('separator')}</w:${kind}><w:${kind} w:id="2">${paragraphs(text)}</w:${kind}></w:${kind}s>`;
  const file = docx(
    `<w:p>${run('Hares')}${note('footnote', 2)}${run(' and foxes')}${note('endnote', 2)}</w:p>${section}`,
    {
      targets: {
        h: ['header', 'header1.xml'],
        f: ['footer', 'footer1.xml'],
        fn: ['footnotes', 'footnotes.xml'],
        en: ['endnotes', 'endnotes.xml'],
        c: ['comments', 'comments.xml'],
      },
      parts: {
        'word/header1.xml': `<w:hdr>${paragraphs('Report')}</w:hdr>`,
        'word/footer1.xml': `<w:ftr>${paragraphs('Draft')}</w:ftr>`,
        'word/footnotes.xml': notes('footnote', 'lepus'),
        'word/endnotes.xml': notes('endnote', 'vulpes'),
        'word/comments.xml': `<w:comments><w:comment w:id="0" w:author="Ann">${paragraphs('Really?')}</w:comment></w:comments>`,
      },
    },
  );
  expect(await textIn(file)).toBe(
    '[Header] Report\n\nHares[1] and foxes[1]\n\n[Footnote 1] lepus\n\n[Endnote 1] vulpes\n\n[Footer] Draft\n\n[Comment by Ann] Really?',
  );
});

test.each([
  ['no section with a title page', '', '', '', 'default'],
  ['a title page', '<w:titlePg/>', '', '', 'default first'],
  ['a title page that is switched off', '<w:titlePg w:val="0"/>', '', '', 'default'],
  ['a later title page', '', '<w:titlePg/>', '', 'default first'],
  ['even pages', '', '', '<w:evenAndOddHeaders/>', 'default even'],
  ['even pages that are switched off', '', '', '<w:evenAndOddHeaders w:val="false"/>', 'default'],
])('FILE-27: with %s the headers of other pages are not read', async (_, first, second, settings, shown) => {
  const types = ['default', 'first', 'even'];
  const references = types.map((type) => `<w:headerReference w:type="${type}" r:id="${type}"/>`).join('');
  const file = docx(
    `<w:p><w:pPr><w:sectPr>${references}${first}</w:sectPr></w:pPr>${run('a')}</w:p>${paragraphs('b')}<w:sectPr>${second}</w:sectPr>`,
    {
      targets: {
        settings: ['settings', 'settings.xml'],
        ...Object.fromEntries(types.map((type) => [type, ['header', `${type}.xml`] as const])),
      },
      parts: {
        'word/settings.xml': `<w:settings>${settings}</w:settings>`,
        ...Object.fromEntries(types.map((type) => [`word/${type}.xml`, `<w:hdr>${paragraphs(type)}</w:hdr>`])),
      },
    },
  );
  expect([...(await textIn(file)).matchAll(/\[Header\] (\w+)/g)].map(([, type]) => type).join(' ')).toBe(shown);
});

test('FILE-27: labels of lists are read as the document shows them, also those of headings and of lists in cells', async () => {
  const level = (at: number, format: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
  const numbering =
    `<w:abstractNum w:abstractNumId="7">${level(0, 'upperRoman', '%1)')}${level(1, 'lowerLetter', '%1.%2', '<w:isLgl/>')}</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="8">${level(0, 'decimal', 'Part %1', '<w:pStyle w:val="H"/>')}</w:abstractNum>` +
    '<w:num w:numId="7"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="8"><w:abstractNumId w:val="8"/></w:num>' +
    '<w:num w:numId="9"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>';
  const item = (list: number, at: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${run(text)}</w:p>`;
  const styles =
    '<w:style w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="8"/></w:numPr></w:pPr></w:style>';
  const heading = `<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr>${run('Animals')}</w:p>`;
  const content = `${heading}${item(7, 0, 'cats')}${item(7, 1, 'lions')}${item(7, 0, 'dogs')}${item(9, 0, 'birds')}<w:tbl><w:tr><w:tc>${item(9, 0, 'fish')}</w:tc></w:tr></w:tbl>`;
  expect(await textIn(docx(content, { numbering, styles }))).toBe(
    '# Part 1 Animals\n\nI) cats\n  1.1 lions\nII) dogs\nV) birds\n\nVI) fish',
  );
});

test('FILE-27: text that is hidden or deleted is not read, and elements that are not known are', async () => {
  const hidden = `<w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>shown</w:t></w:r>`;
  const row = (change: string, text: string) => `<w:tr>${change}<w:tc>${paragraphs(text)}</w:tc></w:tr>`;
  const content =
    `<w:p>${hidden}<w:moveFrom>${run('moved')}</w:moveFrom></w:p>` +
    `<x:future><w:p><x:wrap>${run(' from the future')}</x:wrap></w:p></x:future>` +
    `<w:tbl>${row('<w:trPr><w:del/></w:trPr>', 'deleted')}${row('', 'kept')}</w:tbl>`;
  expect(await textIn(docx(content))).toBe('shown\n\n from the future\n\nkept');
});

test('FILE-27: what a hidden style, run or shape holds is not read: text, labels, charts and notes', async () => {
  const styles = '<w:style w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>';
  const gone = (text: string, list = '') => `<w:p><w:pPr><w:pStyle w:val="Gone"/>${list}</w:pPr>${run(text)}</w:p>`;
  const numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
  const item = (text: string) => `<w:p><w:pPr>${numbered}</w:pPr>${run(text)}</w:p>`;
  const hiddenRun = (inner: string) => `<w:r><w:rPr><w:vanish/></w:rPr>${inner}</w:r>`;
  const box = (inner: string) => `<wps:wsp><wps:txbx><w:txbxContent>${inner}</w:txbxContent></wps:txbx></wps:wsp>`;
  const drawing = (hidden: string, inner: string) =>
    `<w:r><w:drawing><wp:anchor><wp:docPr id="1"${hidden}/><a:graphic>${inner}</a:graphic></wp:anchor></w:drawing></w:r>`;
  const notes = `<w:footnotes>${[1, 2].map((id) => `<w:footnote w:id="${id}">${paragraphs(`note ${id}`)}</w:footnote>`).join('')}</w:footnotes>`;
  const shape = (style: string, text: string) =>
    `<w:r><w:pict><v:shape style="width:9pt;${style}"><v:textbox><w:txbxContent>${paragraphs(text)}</w:txbxContent></v:textbox></v:shape></w:pict></w:r>`;
  const content =
    gone('hidden') +
    `<w:tbl><w:tr><w:tc>${gone('hidden in a cell', numbered)}${item('cell')}</w:tc></w:tr></w:tbl>` +
    `<w:p>${run('a')}${drawing('', box(gone('hidden in a box') + paragraphs('box')))}</w:p>` +
    `<w:p>${run('b')}${drawing(' hidden="1"', box(paragraphs('hidden box')))}${hiddenRun(box(paragraphs('hidden box')))}</w:p>` +
    `<w:p>${run('c')}${drawing('', `<wpg:wgp><wps:wsp><wps:cNvPr hidden="true"/>${box(paragraphs('hidden in a group'))}</wps:wsp>${box(paragraphs('group'))}</wpg:wgp>`)}</w:p>` +
    `<w:p>${run('d')}${shape('visibility:hidden', 'hidden')}${shape('', 'old')}</w:p>` +
    `<w:p>${run('e')}${hiddenRun('<c:chart r:id="k"/><w:footnoteReference w:id="1"/>')}<w:r><w:footnoteReference w:id="2"/></w:r></w:p>`;
  const file = docx(content, {
    styles,
    lists: { 1: ['decimal'] },
    targets: { k: ['chart', 'chart.xml'], f: ['footnotes', 'footnotes.xml'] },
    parts: {
      'word/chart.xml': '<c:chart><c:title><a:p><a:r><a:t>hidden chart</a:t></a:r></a:p></c:title></c:chart>',
      'word/footnotes.xml': notes,
    },
  });
  const text = await textIn(file);
  expect(text.replaceAll(/\n+/g, '\n')).toBe('1. cell\na\nbox\nb\nc\ngroup\nd\nold\ne[1]\n[Footnote 1] note 2');
});

test('FILE-27: of ruby text the words come before their pronunciation, and a field shows what was chosen', async () => {
  const ruby = `<w:ruby><w:rt>${run('かんじ')}</w:rt><w:rubyBase>${run('漢字')}</w:rubyBase></w:ruby>`;
  const field =
    '<w:r><w:fldChar><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="tea"/><w:listEntry w:val="juice"/></w:ddList></w:ffData></w:fldChar></w:r>';
  expect(await textIn(docx(`<w:p>${ruby}${run(': ')}${field}</w:p>`))).toBe('漢字(かんじ): juice');
});

test('FILE-27: of alternatives the first is read, and the other one only where there is no first', async () => {
  const alternatives = (...inner: string[]) => `<mc:AlternateContent>${inner.join('')}</mc:AlternateContent>`;
  const choice = (text: string) => `<mc:Choice>${run(text)}</mc:Choice>`;
  const fallback = (text: string) => `<mc:Fallback>${run(text)}</mc:Fallback>`;
  const content = alternatives(choice('a'), choice('b'), fallback('c')) + alternatives(fallback('d')) + run('e');
  expect(await textIn(docx(`<w:p>${content}</w:p>`))).toBe('ade');
});

test('FILE-27: charts, diagrams, files in the file and pages of HTML in it are read', async () => {
  const chart =
    '<c:chartSpace><c:title><a:p><a:r><a:t>Rain</a:t></a:r></a:p></c:title><c:ser><c:tx><c:strCache><c:pt idx="0"><c:v>mm</c:v></c:pt></c:strCache></c:tx>' +
    '<c:cat><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1"><c:v>June</c:v></c:pt></c:strCache></c:cat>' +
    '<c:val><c:numCache><c:formatCode>0.0</c:formatCode><c:pt idx="0"><c:v>12.25</c:v></c:pt><c:pt idx="1"><c:v>3</c:v></c:pt></c:numCache></c:val></c:ser></c:chartSpace>';
  const point = (text: string, more = '') =>
    `<dgm:pt>${more}<dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`;
  const file = docx(
    '<w:p><c:chart r:id="k"/><dgm:relIds r:dm="d"/><o:OLEObject r:id="x"/><c:chart r:id="k"/></w:p><w:altChunk r:id="p"/>',
    {
      targets: {
        k: ['chart', 'chart.xml'],
        d: ['diagramData', 'data.xml'],
        x: ['package', 'embeddings/book.xlsx'],
        p: ['aFChunk', 'page.html'],
      },
      parts: {
        'word/chart.xml': chart,
        'word/data.xml': `<dgm:ptLst>${point('Director')}${point('[Text]', '<dgm:prSet phldr="1"/>')}</dgm:ptLst>`,
        'word/embeddings/book.xlsx': xlsx({ sheets: { S: textRows(['inner', 'cell']) } }),
        'word/page.html': '<title>t</title><style>p{}</style><p>One <b>two</b></p><ul><li>three</li></ul>',
      },
    },
  );
  expect(await textIn(file)).toBe(
    'Rain\n\n | mm\nMay | 12.3\nJune | 3.0\n\nDirector\n\ninner | cell\n\nOne two\n\nthree',
  );
});

/** The text of a Word document that contains only this page of HTML. */
const textOfHtml = async (html: string | Buffer) =>
  textIn(
    docx('<w:altChunk r:id="p"/>', { targets: { p: ['aFChunk', 'page.html'] }, parts: { 'word/page.html': html } }),
  );

test.each([
  ['an empty head', '<html><head/><body><p>shown</p></body></html>'],
  ['a head without an end', '<html><head><title>t</title><style>p{}</style><body><p>shown</p></body></html>'],
  ['an empty drawing', '<svg/><p>shown</p>'],
  ['an empty script', '<script src="a.js"/><p>shown</p>'],
  ['a drawing with empty elements', '<svg><path/><text>not shown</text></svg><p>shown</p>'],
])('FILE-27: of a page of HTML with %s the text after it is read', async (_, html) => {
  expect(await textOfHtml(html)).toBe('shown');
});

test('FILE-27: a page of HTML is read in UTF-16 if its bytes are, whatever it declares', async () => {
  const page = '<meta charset="utf-16"><p>Grüße</p>';
  const wide = Buffer.from(page, 'utf16le');
  const files = [
    Buffer.from(page),
    Buffer.from(page.replace('utf-16', 'iso-8859-1'), 'latin1'),
    wide,
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide]).swap16(),
  ];
  for (const html of files) expect(await textOfHtml(html)).toBe('Grüße');
});

test('FILE-27: the points and empty cells of a chart take room', async () => {
  const wide = { characters: 100_000, rows: 10_000, columns: 16_384 };
  const readChart = async (series: string, limits = wide) => {
    const parts = { 'word/chart.xml': `<c:chart>${series}</c:chart>` };
    const file = docx('<w:p><c:chart r:id="k"/></w:p>', { targets: { k: ['chart', 'chart.xml'] }, parts });
    const { parts: pages, isCut } = await readOffice(new Uint8Array(file), limits);
    const tables = pages.flatMap(({ asides }) => asides.flatMap(({ blocks }) => blocks));
    const rows = tables.flatMap((block) => (block.type === 'table' ? block.rows : []));
    return { cells: rows.reduce((sum, row) => sum + row.length, 0), rows: rows.length, isCut };
  };
  const series = (...points: string[]) => `<c:ser><c:val><c:numLit>${points.join('')}</c:numLit></c:val></c:ser>`;
  const point = (index: number, text = '') => `<c:pt idx="${index}"><c:v>${text}</c:v></c:pt>`;
  const diagonal = Array.from({ length: 40_000 }, (_, at) => series(point(at)));
  const sparse = await readChart(diagonal.join(''));
  expect([sparse.cells <= 100_000, sparse.isCut]).toEqual([true, true]);
  expect(await readChart(series(...Array.from({ length: 90_000 }, () => point(0, 'x'))))).toMatchObject({
    isCut: true,
  });
  expect(await readChart(series(...Array.from({ length: 90_000 }, (_, at) => point(at))))).toMatchObject({
    isCut: true,
  });
  const small = series(point(0, 'a'), point(1, 'b'), point(2, 'c'));
  expect(await readChart(small, { ...wide, rows: 2 })).toEqual({ cells: 4, rows: 2, isCut: true });
  expect(await readChart(small, { ...wide, rows: 3 })).toEqual({ cells: 6, rows: 3, isCut: false });
  expect(await readChart(small, { ...wide, columns: 1 })).toEqual({ cells: 3, rows: 3, isCut: true });
});

test('FILE-27: a file that contains files that contain files is read to a fixed depth', async () => {
  let file = docx(paragraphs('deepest'));
  for (let depth = 0; depth < 4; depth += 1)
    file = docx(`${paragraphs(`level ${depth}`)}<w:altChunk r:id="x"/>`, {
      targets: { x: ['aFChunk', 'inner.docx'] },
      parts: { 'word/inner.docx': file },
    });
  const document = await read(file);
  expect([textOf(document), document.isCut]).toEqual(['level 3\n\nlevel 2\n\nlevel 1', true]);
});

test('FILE-27: a damaged header or note does not keep the text from being read, and the document says that it is cut', async () => {
  const file = docx(`${paragraphs('text')}<w:sectPr><w:headerReference r:id="h"/></w:sectPr>`, {
    targets: { h: ['header', 'header1.xml'] },
    parts: { 'word/header1.xml': '<w:p>'.repeat(300) },
  });
  const document = await read(file);
  expect([textOf(document), document.isCut]).toEqual(['text', true]);
});

test('FILE-27: the relationships of a part are its own', async () => {
  const link = (id: string) => `<w:p><w:hyperlink r:id="${id}">${run('here')}</w:hyperlink></w:p>`;
  const file = docx(`${link('l')}<w:sectPr><w:headerReference r:id="h"/></w:sectPr>`, {
    links: { l: 'https://example.org/text' },
    targets: { h: ['header', 'header1.xml'] },
    parts: {
      'word/header1.xml': link('l'),
      'word/_rels/header1.xml.rels': relations({ l: ['hyperlink', 'https://example.org/header'] }),
    },
  });
  const [page] = (await read(file)).parts;
  expect(page).toMatchObject({
    blocks: [{ spans: [{ href: 'https://example.org/text' }] }],
    asides: [{ kind: 'header', blocks: [{ spans: [{ href: 'https://example.org/header' }] }] }],
  });
});
