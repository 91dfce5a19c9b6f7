// Files of office programs for tests: no more of each format than a reader of its text needs.
import { zip } from './zips.ts';

const types = 'http://schemas.openxmlformats.org';
const office = `${types}/officeDocument/2006/relationships`;

/** What an entry refers to, as `id: [type, target]`. */
type Targets = Readonly<Record<string, readonly [type: string, target: string]>>;

/** Further entries of a file, and what its main one refers to. */
interface More {
  readonly parts?: Readonly<Record<string, string | Uint8Array>>;
  readonly targets?: Targets;
}

/** The entry that says what another one refers to. */
export function relations(targets: Targets): string {
  const rows = Object.entries(targets).map(([id, [type, target]]) => {
    const mode = target.startsWith('http') || target.startsWith('javascript:') ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"${mode}/>`;
  });
  return `<Relationships xmlns="${types}/package/2006/relationships">${rows.join('')}</Relationships>`;
}

const main = (target: string, kind: string, ending = 'main'): Record<string, string> => ({
  '[Content_Types].xml':
    `<Types xmlns="${types}/package/2006/content-types">` +
    `<Override PartName="/${target}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.${ending}+xml"/>` +
    '</Types>',
  '_rels/.rels': relations({ r1: ['officeDocument', target] }),
});

/** The type of a list's levels, by the id of the list. */
type Lists = Readonly<Record<string, readonly ('bullet' | 'decimal')[]>>;

/** A Word document. The content is WordprocessingML, with the prefix `w`; `links` are its external targets. */
export function docx(
  content: string,
  {
    lists = {},
    links = {},
    styles = '',
    numbering: levels = '',
    parts = {},
    targets = {},
  }: { lists?: Lists; links?: Record<string, string>; styles?: string; numbering?: string } & More = {},
): Buffer<ArrayBuffer> {
  const w = `xmlns:w="${types}/wordprocessingml/2006/main" xmlns:r="${office}"`;
  const numbering = Object.entries(lists).map(([id, levels]) => {
    const formats = levels.map((type, at) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="${type}"/></w:lvl>`);
    return `<w:abstractNum w:abstractNumId="${id}">${formats.join('')}</w:abstractNum>`;
  });
  const numbers = Object.keys(lists).map((id) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${id}"/></w:num>`);
  return zip({
    ...main('word/document.xml', 'wordprocessingml.document'),
    'word/document.xml': `<?xml version="1.0"?><w:document ${w}><w:body>${content}</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${w}>${styles}</w:styles>`,
    'word/numbering.xml': `<w:numbering ${w}>${numbering.join('')}${numbers.join('')}${levels}</w:numbering>`,
    'word/_rels/document.xml.rels': relations({
      s: ['styles', 'styles.xml'],
      n: ['numbering', '/word/numbering.xml'],
      ...Object.fromEntries(Object.entries(links).map(([id, target]) => [id, ['hyperlink', target] as const])),
      ...targets,
    }),
    ...parts,
  });
}

/** Paragraphs of plain text. */
export const paragraphs = (...texts: string[]): string =>
  texts.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');

/** An item of a list, whose levels begin with 0. */
export const listItem = (list: string, level: number, text: string): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>` +
  `<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A table as XML; rows may have different numbers of cells. */
const tableOf = (table: string, row: string, cell: (text: string) => string) => {
  const inside = (name: string, parts: readonly string[]) => `<${name}>${parts.join('')}</${name}>`;
  return (...rows: (readonly string[])[]): string =>
    inside(
      table,
      rows.map((texts) => inside(row, texts.map(cell))),
    );
};

/** A table of a Word document. */
export const wordTable = tableOf('w:tbl', 'w:tr', (text) => `<w:tc>${paragraphs(text)}</w:tc>`);

interface Workbook extends More {
  /** The rows of each sheet, as SpreadsheetML. */
  sheets: Readonly<Record<string, string>>;
  shared?: readonly string[];
  /** The format of each style of cells. */
  formats?: readonly string[];
  properties?: string;
  hidden?: readonly string[];
}

/** An Excel workbook. */
export function xlsx({
  sheets,
  shared = [],
  formats = [],
  properties = '',
  hidden = [],
  parts = {},
  targets = {},
}: Workbook): Buffer<ArrayBuffer> {
  const names = Object.keys(sheets);
  const rows = names.map(
    (name, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
  );
  const codes = formats.map((code, at) => `<numFmt numFmtId="${200 + at}" formatCode="${code}"/>`);
  const cells = formats.map((_, at) => `<xf numFmtId="${200 + at}"/>`);
  return zip({
    ...main('xl/workbook.xml', 'spreadsheetml', 'sheet.main'),
    'xl/workbook.xml': `<workbook xmlns:r="${office}">${properties}<sheets>${rows.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      t: ['sharedStrings', 'sharedStrings.xml'],
      f: ['styles', 'styles.xml'],
      ...Object.fromEntries(names.map((_, at) => [`s${at}`, ['worksheet', `worksheets/sheet${at}.xml`] as const])),
      ...targets,
    }),
    'xl/styles.xml': `<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs>${cells.join('')}</cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}

/** Rows of inline texts, from the first row on. */
export const textRows = (...rows: (readonly string[])[]): string =>
  rows
    .map((cells) => `<row>${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
    .join('');

/** A PowerPoint presentation. The slides are PresentationML with the prefixes `p` and `a`. */
export const pptx = (...slides: string[]): Buffer<ArrayBuffer> => pptxWith({}, ...slides);

/** The same with further entries. The last of n slides is `ppt/slides/slide1.xml`, the one before it `slide2.xml`, … */
export function pptxWith({ parts = {}, targets = {} }: More, ...slides: string[]): Buffer<ArrayBuffer> {
  const p = `xmlns:p="${types}/presentationml/2006/main" xmlns:a="${types}/drawingml/2006/main" xmlns:r="${office}"`;
  // The order of the slides is not that of their names.
  const files = slides.map((_, at) => `slides/slide${slides.length - at}.xml`);
  const ids = files.map((_, at) => `<p:sldId id="${256 + at}" r:id="s${at}"/>`);
  return zip({
    ...main('ppt/presentation.xml', 'presentationml.presentation'),
    'ppt/presentation.xml': `<p:presentation ${p}><p:sldIdLst>${ids.join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations({
      ...Object.fromEntries(files.map((file, at) => [`s${at}`, ['slide', file] as const])),
      ...targets,
    }),
    ...Object.fromEntries(
      slides.map((content, at) => [
        `ppt/${files[at]}`,
        `<p:sld ${p}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...parts,
  });
}

/** A shape of a slide: in the place for the title, in the main one, or in none. */
export function shape(place: 'title' | 'body' | null, ...lines: string[]): string {
  const rows = lines.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`);
  const placed = place === null ? '' : `<p:ph type="${place}"/>`;
  return `<p:sp><p:nvSpPr><p:nvPr>${placed}</p:nvPr></p:nvSpPr><p:txBody>${rows.join('')}</p:txBody></p:sp>`;
}

/** A table on a slide. */
export const slideTable = tableOf(
  'a:tbl',
  'a:tr',
  (text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`,
);

/** A table of an OpenDocument text. */
export const openTable = tableOf(
  'table:table',
  'table:table-row',
  (text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`,
);

/** An OpenDocument file. The content is what stands in `office:body`. */
export function openDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  content: string,
  {
    styles = '',
    isLocked = false,
    isStored = true,
    parts = {},
  }: { styles?: string; isLocked?: boolean; isStored?: boolean } & Pick<More, 'parts'> = {},
): Buffer<ArrayBuffer> {
  const secret = isLocked ? '<manifest:encryption-data/>' : '';
  return zip(
    {
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'content.xml':
        `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
        `<office:body><office:${kind}>${content}</office:${kind}></office:body></office:document-content>`,
      'META-INF/manifest.xml': `<manifest:manifest><manifest:file-entry>${secret}</manifest:file-entry></manifest:manifest>`,
      ...parts,
    },
    { isStored },
  );
}

/** A file of Microsoft's programs with a password: the container that holds the encrypted package. */
export function lockedOffice(): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(1_536);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.write('EncryptedPackage', 1_024, 'utf16le');
  return bytes;
}

/** A Word document of about 100 kB that unpacks to more than 100 MB. */
export const bombDocx = (): Buffer<ArrayBuffer> => docx(`<w:p>${'<w:r><w:t> </w:t></w:r>'.repeat(4_500_000)}</w:p>`);
