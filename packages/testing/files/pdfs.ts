// PDF files for tests, written by hand: only what a reader of their text needs.
import { deflateSync } from 'node:zlib';

interface Pdf {
  pages?: number;
  /** ASCII without parentheses. */
  text?: string;
  /** The compressed operators of every page, instead of `text`. */
  operators?: Buffer;
  /** Encrypted with a password that is not known. */
  isLocked?: boolean;
}

/** A PDF whose pages all have the same text. */
export function pdf({ pages = 1, text = 'Hello', operators, isLocked = false }: Pdf = {}): Buffer<ArrayBuffer> {
  const first = 4;
  const content = first + pages;
  const kids = Array.from({ length: pages }, (_, page) => `${first + page} 0 R`);
  const resources = '/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>';
  const stream = operators ?? deflateSync(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`);
  const objects: Buffer[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...kids.map(() => `<</Type/Page/Parent 2 0 R${resources}/Contents ${content} 0 R>>`),
  ].map((object) => Buffer.from(object));
  objects.push(pdfStream(stream, '/Filter/FlateDecode'));
  const secret = '5a'.repeat(32);
  const encryption = `/Encrypt<</Filter/Standard/V 1/R 2/O<${secret}>/U<${secret}>/P -4>>/ID[<${secret}><${secret}>]`;
  return pdfOf(objects, isLocked ? encryption : '');
}

/** The body of an object with a stream. */
const pdfStream = (stream: string | Uint8Array, more = ''): Buffer => {
  const bytes = Buffer.from(stream);
  return Buffer.concat([Buffer.from(`<</Length ${bytes.length}${more}>>stream\n`), bytes, Buffer.from('\nendstream')]);
};

/** A PDF of these objects, of which the first is its catalog. */
export function pdfOf(objects: readonly (string | Uint8Array)[], more = ''): Buffer<ArrayBuffer> {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]));
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R${more}>>\nstartxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.from(Buffer.concat(pieces));
}

/**
 * A PDF of one page, with the fonts `/F` (Helvetica) and `/J` (Japanese, whose characters a table of another file
 * names), these operators and these annotations, as dictionaries. Other pages may be added, as objects.
 */
export function pdfPage(
  operators: string,
  { annotations = [], pages = [] }: { annotations?: readonly string[]; pages?: readonly string[] } = {},
) {
  const first = 8;
  const fields = annotations.map((_, at) => `${first + at} 0 R`).join(' ');
  const others = pages.map((_, at) => `${first + annotations.length + at} 0 R`);
  return pdfOf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]>>>>`,
    `<</Type/Pages/Count ${1 + pages.length}/Kids[${['3 0 R', ...others].join(' ')}]>>`,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 5 0 R/J 6 0 R>>>>/Contents 4 0 R/Annots[${fields}]>>`,
    pdfStream(operators),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/90ms-RKSJ-H/DescendantFonts[7 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>',
    ...annotations,
    ...pages,
  ]);
}

/** A PDF of a few kilobytes whose page decompresses to gigabytes. */
export function bombPdf(): Buffer<ArrayBuffer> {
  const block = Buffer.alloc(1024 * 1024, ' ');
  const member = deflateSync(block, { level: 9, finishFlush: 2 /* Z_SYNC_FLUSH: more blocks may follow */ });
  // The header once, then the same block many times; each refers only to itself.
  const [head, body] = [member.subarray(0, 2), member.subarray(2)];
  return pdf({ operators: Buffer.concat([head, ...Array.from({ length: 4_000 }, () => body)]) });
}
