import { openDocument } from '@parley/testing/files/office-files.ts';
import { expect, test } from 'vitest';
import { readOffice, textOf } from './index.ts';

const bounds = { characters: 100_000, rows: 500, columns: 50 };
const textIn = async (bytes: Uint8Array) => textOf(await readOffice(new Uint8Array(bytes), bounds));

test('FILE-27: OpenDocument texts are read with fields, notes, comments, headers, labels and objects', async () => {
  const styles =
    '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="a" style:num-suffix=")"/></text:list-style>' +
    '<style:style style:name="gone"><style:text-properties text:display="none"/></style:style>';
  const item = (text: string) => `<text:list-item><text:p>${text}</text:p></text:list-item>`;
  const content =
    '<text:sequence-decls/><text:p>Figure <text:sequence text:name="F">1</text:sequence>, dear <text:database-display>Mr Quagga</text:database-display>' +
    '<text:span text:style-name="gone">hidden</text:span><text:script>code()</text:script>' +
    '<text:note text:note-class="endnote"><text:note-citation>i</text:note-citation><text:note-body><text:p>aside</text:p></text:note-body></text:note>' +
    '<office:annotation><dc:creator>Ann</dc:creator><dc:date>2026-11-27</dc:date><text:p>Sure?</text:p></office:annotation>' +
    '<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="x.png"/><svg:title>A chart</svg:title></draw:frame></text:p>' +
    `<text:list text:style-name="L">${item('cats')}${item('dogs')}</text:list>` +
    '<text:section text:display="none"><text:p>hidden section</text:p></text:section>' +
    '<text:p><text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby></text:p>';
  const page =
    '<style:master-page><style:header><text:p>Report</text:p></style:header><style:footer-left style:display="false"><text:p>off</text:p></style:footer-left></style:master-page>';
  const chart =
    '<office:document-content><office:body><office:chart><chart:chart><chart:title><text:p>Rain</text:p></chart:title><table:table><table:table-row><table:table-cell><text:p>May</text:p></table:table-cell><table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>';
  const file = openDocument('text', content, {
    styles,
    parts: {
      'styles.xml': `<office:document-styles><office:master-styles>${page}</office:master-styles></office:document-styles>`,
      'Object 1/content.xml': chart,
    },
  });
  expect(await textIn(file)).toBe(
    '[Header] Report\n\nFigure 1, dear Mr Quagga[i]\nA chart\n\n\na) cats\nb) dogs\n\n漢字(かんじ)\n\nRain\n\nMay | 12\n\n[Endnote i] aside\n\n[Comment by Ann] Sure?',
  );
});

test('FILE-27: of an OpenDocument text hidden paragraphs, sections, texts, notes, objects and shapes are not read', async () => {
  const hider = '<text:hidden-paragraph text:condition="x" text:is-hidden="true"/>';
  const note =
    '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>hidden note</text:p></text:note-body></text:note>';
  const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
  const styles = '<style:style style:name="gone"><style:text-properties text:display="none"/></style:style>';
  const content = [
    `<text:p>${hider}hidden paragraph</text:p>`,
    `<text:p><text:span>${hider}</text:span>hidden by a span</text:p>`,
    '<text:p><text:hidden-paragraph text:is-hidden="false"/>shown paragraph</text:p>',
    '<text:section text:display="condition" text:is-hidden="true"><text:p>hidden section</text:p></text:section>',
    '<text:section text:display="condition" text:is-hidden="false"><text:p>shown section</text:p></text:section>',
    '<text:p>a<text:hidden-text text:is-hidden="true">hidden text</text:hidden-text><text:hidden-text text:is-hidden="false">b</text:hidden-text>' +
      '<text:hidden-text text:condition="ooow:false" text:is-hidden="true">c</text:hidden-text></text:p>',
    `<text:p>d<text:span text:style-name="gone">${note}${object}<office:annotation><text:p>hidden comment</text:p></office:annotation></text:span></text:p>`,
    '<draw:g draw:display="none"><draw:frame><draw:text-box><text:p>hidden shape</text:p></draw:text-box></draw:frame></draw:g>',
    `<table:table><table:table-row><table:table-cell><text:p>${hider}hidden in a cell</text:p><text:p>cell</text:p></table:table-cell></table:table-row></table:table>`,
  ];
  const page = `<style:master-page style:name="Standard"><style:header><text:section text:display="none"><text:p>hidden header</text:p></text:section><text:p>${hider}hidden</text:p><text:p>Head</text:p></style:header></style:master-page>`;
  const file = openDocument('text', content.join(''), {
    styles,
    parts: {
      'styles.xml': `<office:document-styles><office:master-styles>${page}</office:master-styles></office:document-styles>`,
      'Object 1/content.xml':
        '<office:document-content><office:body><office:chart><text:p>hidden chart</text:p></office:chart></office:body></office:document-content>',
    },
  });
  expect(await textIn(file)).toBe('[Header] Head\n\nshown paragraph\n\nshown section\n\nabc\n\nd\n\ncell');
});

test.each([
  ['', 'Standard'],
  ['<text:p text:style-name="Plain">a</text:p>', 'Standard'],
  ['<text:p text:style-name="Starts">a</text:p>', 'First Second'],
  ['<text:p>a</text:p><text:p text:style-name="Starts">b</text:p>', 'Standard First Second'],
  [
    '<table:table table:style-name="Wide"><table:table-row><table:table-cell><text:p text:style-name="Starts">a</text:p></table:table-cell></table:table-row></table:table>',
    'Landscape',
  ],
  ['<text:p text:style-name="Child">a</text:p>', 'First Second'],
])('FILE-27: of the pages of an OpenDocument text %j shows the headers of %s', async (content, shown) => {
  const page = (name: string, next = '') =>
    `<style:master-page style:name="${name}" style:next-style-name="${next}"><style:header><text:p>${name}</text:p></style:header></style:master-page>`;
  const styles =
    '<style:style style:name="Starts" style:master-page-name="First"/><style:style style:name="Plain" style:master-page-name=""/>' +
    '<style:style style:name="Child" style:parent-style-name="Starts"/><style:style style:name="Wide" style:master-page-name="Landscape"/>';
  const pages = [page('Unused'), page('Standard'), page('First', 'Second'), page('Second', 'First'), page('Landscape')];
  const file = openDocument('text', `${content}<text:p>end</text:p>`, {
    styles,
    parts: {
      'styles.xml': `<office:document-styles><office:master-styles>${pages.join('')}</office:master-styles></office:document-styles>`,
    },
  });
  expect([...(await textIn(file)).matchAll(/\[Header\] (\w+)/g)].map(([, name]) => name).join(' ')).toBe(shown);
});
