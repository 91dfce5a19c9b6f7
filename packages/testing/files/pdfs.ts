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
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${kids.join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...kids.map(() => `<</Type/Page/Parent 2 0 R${resources}/Contents ${content} 0 R>>`),
  ].map((object) => Buffer.from(object));
  const length = `<</Length ${stream.length}/Filter/FlateDecode>>stream\n`;
  objects.push(Buffer.concat([Buffer.from(length), stream, Buffer.from('\nendstream')]));

  const pieces: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  const add = (piece: Buffer): void => {
    pieces.push(piece);
    at += piece.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  const secret = '5a'.repeat(32);
  const encryption = `/Encrypt<</Filter/Standard/V 1/R 2/O<${secret}>/U<${secret}>/P -4>>/ID[<${secret}><${secret}>]`;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R${isLocked ? encryption : ''}>>\n` +
        `startxref\n${at}\n%%EOF`,
    ),
  );
  return Buffer.from(Buffer.concat(pieces));
}

/** A PDF of a few kilobytes whose page decompresses to gigabytes. */
export function bombPdf(): Buffer<ArrayBuffer> {
  const block = Buffer.alloc(1024 * 1024, ' ');
  const member = deflateSync(block, { level: 9, finishFlush: 2 /* Z_SYNC_FLUSH: more blocks may follow */ });
  // The header once, then the same block many times; each refers only to itself.
  const [head, body] = [member.subarray(0, 2), member.subarray(2)];
  return pdf({ operators: Buffer.concat([head, ...Array.from({ length: 4_000 }, () => body)]) });
}
