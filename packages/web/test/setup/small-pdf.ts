interface SmallPage {
  text: string;
  /** In points. */
  width?: number;
  height?: number;
}

/** A PDF with these pages, each with one line of text in a font that the file does not contain. */
export function smallPdf(pages: readonly SmallPage[], trailer = ''): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_page, at) => `${4 + 2 * at} 0 R`).join(' ');
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>',
      `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      ...pages.flatMap(({ text, width = 400, height = 560 }, at) => {
        const drawn = `0.1 0.4 0.3 rg 40 ${height - 160} 120 60 re f 0 g BT /F1 24 Tf 40 ${height - 60} Td (${text}) Tj ET`;
        return [
          `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${5 + 2 * at} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
          stream(drawn),
        ];
      }),
    ],
    trailer,
  );
}

/** A PDF that asks for a password: the one in the file is none that exists. */
export const lockedPdf = (): Uint8Array<ArrayBuffer> => {
  const id = `<${'00'.repeat(16)}>`;
  const key = `(${'x'.repeat(32)})`;
  return smallPdf([{ text: 'secret' }], `/ID[${id}${id}]/Encrypt<</Filter/Standard/V 1/R 2/O${key}/U${key}/P -4>>`);
};

/** A scanned page: a black square in the compression of fax machines (CCITT group 4). */
export function scannedPdf(side = 64): Uint8Array<ArrayBuffer> {
  // The first line has no white and 64 black pixels, the others are the same, and then the data ends.
  const bits = `001 00110101 0000001111 0000110111 ${'11'.repeat(63)} ${'000000000001'.repeat(2)}`.replaceAll(' ', '');
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) => parseInt(byte.padEnd(8, '0'), 2));
  const data = `${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}>`;
  return onePage('200 0 0 200 50 50 cm /Scan Do', '/XObject<</Scan 5 0 R>>', [
    `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/BitsPerComponent 1/ColorSpace/DeviceGray/Filter[/ASCIIHexDecode/CCITTFaxDecode]/DecodeParms[null<</K -1/Columns ${side}/Rows ${side}>>]/Length ${data.length}>>stream\n${data}\nendstream`,
  ]);
}

/** The Japanese word for Japan, in a font and an encoding that the file names and does not contain. */
export const japanesePdf = (): Uint8Array<ArrayBuffer> =>
  onePage('BT /F1 60 Tf 40 100 Td <65E5672C> Tj ET', '/Font<</F1 5 0 R>>', [
    '<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/UniJIS-UTF16-H/DescendantFonts[6 0 R]>>',
    '<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 6>>/FontDescriptor 7 0 R>>',
    '<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4/FontBBox[0 -200 1000 800]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
  ]);

const greedyPage = (contents: number, resources = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents ${contents} 0 R/Resources<<${resources}>>>>`;
const nestedGroup = (at: number) =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 300 400]/Group<</S/Transparency/K true>>/Resources<</XObject<</G ${at + 9} 0 R>>>>/Length 5>>stream\n/G Do\nendstream`;

/** Three pages. The second draws 60 groups within each other, each of which takes two canvases as large as the page. */
export const greedyPdf = (): Uint8Array<ArrayBuffer> =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>',
    greedyPage(6),
    greedyPage(7, '/XObject<</G 8 0 R>>'),
    greedyPage(6),
    stream('50 200 150 150 re f'),
    stream('/G Do'),
    ...Array.from({ length: 60 }, (_, at) => nestedGroup(at)),
    '<</Type/XObject/Subtype/Form/BBox[0 0 300 400]/Length 16>>stream\n50 50 99 99 re f\nendstream',
  ]);

const stream = (data: string): string => `<</Length ${data.length}>>stream\n${data}\nendstream`;

/** A PDF of one page of 300 points. The first of the other objects has the number 5. */
const onePage = (drawn: string, resources: string, others: readonly string[]): Uint8Array<ArrayBuffer> =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<${resources}>>>>`,
    stream(drawn),
    ...others,
  ]);

/** A PDF of these objects, the first of which is its catalog. */
function pdfOf(objects: readonly string[], trailer = ''): Uint8Array<ArrayBuffer> {
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer<</Root 1 0 R/Size ${places.length + 1}${trailer}>>\nstartxref\n${table}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
