// Runs in the inspecting process only: the lines of a page of a PDF, by where its pieces of text stand.

/** A piece of text of a page, as pdf.js gives it. Lengths are in the page's units. */
interface PdfPiece {
  readonly str: string;
  /** The matrix that places it: its direction and size, then its place. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly dir: string;
  readonly hasEOL: boolean;
}

/** A gap between two pieces is a space above this part of the size of the text, and a new line above the other one. */
const SPACE = 0.15;
const LINE = 0.5;
/** How far a piece may begin before the end of the one before it: letters of a word overlap a little. */
const BACK = 1;

/** Words that are hyphenated at the end of a line. */
const HYPHENATED = /(?<=\p{Ll})[-\u00ad\u2010]\n(?=\p{Ll})/gu;

/** The text of a page, its lines separated by `\n`. Pieces that are drawn twice at the same place count once. */
export function textOfPieces(pieces: readonly PdfPiece[]): string {
  const texts: string[] = [];
  let before: PdfPiece | undefined;
  let last = '\n';
  const add = (text: string): void => {
    if (text === '') return;
    texts.push(text);
    last = text.at(-1) ?? last;
  };
  for (const piece of pieces) {
    if (piece.str !== '' && before) {
      const gap = gapBetween(before, piece);
      if (gap === 'same') continue;
      if (gap === 'line' && last !== '\n') add('\n');
      else if (gap === 'space' && !/\s/.test(last) && !/^\s/.test(piece.str)) add(' ');
    }
    add(piece.str);
    if (piece.hasEOL && last !== '\n') add('\n');
    if (piece.str.trim() !== '') before = piece;
  }
  return texts
    .join('')
    .replaceAll(/(?<! ) +\n/g, '\n')
    .replaceAll(HYPHENATED, '')
    .trim();
}

function gapBetween(before: PdfPiece, after: PdfPiece): 'none' | 'space' | 'line' | 'same' {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = before.transform;
  const [, , , , nextX = 0, nextY = 0] = after.transform;
  const size = Math.max(Math.hypot(c, d), Math.hypot(a, b), before.height) || 1;
  if (before.str === after.str && Math.hypot(nextX - x, nextY - y) < SPACE * size) return 'same';
  // Vertical text runs down the page, whatever the direction of its letters.
  const isVertical = before.dir === 'ttb';
  const length = Math.hypot(a, b) || 1;
  const [alongX, alongY] = isVertical ? [0, -1] : [a / length, b / length];
  const along = (nextX - x) * alongX + (nextY - y) * alongY;
  const across = Math.abs((nextX - x) * -alongY + (nextY - y) * alongX);
  if (across > LINE * size) return 'line';
  const gap = along - (isVertical ? before.height : before.width);
  // Text that runs from right to left goes on before the piece.
  if (before.dir === 'rtl' || after.dir === 'rtl')
    return Math.min(Math.abs(gap), Math.abs(along + after.width)) > SPACE * size ? 'space' : 'none';
  if (gap < -BACK * size - before.width) return 'line';
  return gap > SPACE * size ? 'space' : 'none';
}
