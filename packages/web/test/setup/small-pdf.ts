interface SmallPage {
  text: string;
  /** In points. */
  width?: number;
  height?: number;
}

/** A PDF with these pages, each with one line of text in a font that the file does not contain. */
export function smallPdf(pages: readonly SmallPage[]): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_page, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...pages.flatMap(({ text, width = 400, height = 560 }, at) => {
      const drawn = `0.1 0.4 0.3 rg 40 ${height - 160} 120 60 re f 0 g BT /F1 24 Tf 40 ${height - 60} Td (${text}) Tj ET`;
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${5 + 2 * at} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        `<</Length ${drawn.length}>>stream\n${drawn}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer<</Root 1 0 R/Size ${places.length + 1}>>\nstartxref\n${table}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
