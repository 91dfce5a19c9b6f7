/** One piece of a section of a number format's code. */
export type Token =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'digit'; readonly text: '0' | '#' | '?' }
  | { readonly type: 'exponent'; readonly text: '+' | '-' }
  /** A row of one letter of a date or a time, such as `yyyy`. */
  | { readonly type: 'date'; readonly text: string }
  /** The same in brackets: hours, minutes or seconds that may exceed a day, an hour or a minute. */
  | { readonly type: 'elapsed'; readonly text: string }
  | { readonly type: 'point' | 'comma' | 'percent' | 'slash' | 'general' | 'value' };

/** For which numbers a section is. */
export interface Condition {
  readonly sign: '<' | '>' | '<=' | '>=' | '=' | '<>';
  readonly than: number;
}

export interface Section {
  readonly tokens: readonly Token[];
  readonly condition: Condition | null;
}

const marks: Readonly<Record<string, Token>> = {
  '.': { type: 'point' },
  ',': { type: 'comma' },
  '%': { type: 'percent' },
  '/': { type: 'slash' },
  '@': { type: 'value' },
};

/** Pieces that are longer than one character, where they begin. Every one of them takes linear time. */
const pieces: readonly (readonly [RegExp, (text: string) => readonly Token[] | Condition])[] = [
  [/"([^"]*)"?/y, (text) => [{ type: 'text', text }]],
  [/\\(.?)/suy, (text) => [{ type: 'text', text }]],
  // The width of a character, and a character that fills the cell.
  [/[_*](?:.?)()/suy, () => [{ type: 'text', text: ' ' }]],
  [/\[([^\]]*)\]?/y, (text) => inBrackets(text)],
  [/(general)/iy, () => [{ type: 'general' }]],
  // Halves of the day belong to a time.
  [/(am\/pm|a\/p|上午\/下午)/iy, () => [{ type: 'date', text: 'a' }]],
  [/e([+-])/iy, (text) => [{ type: 'exponent', text: text === '-' ? '-' : '+' }]],
  [/(y+|m+|d+|h+|s+|g+|e+|b+)/iy, (text) => [{ type: 'date', text: text.toLowerCase() }]],
];

function inBrackets(text: string): readonly Token[] | Condition {
  const currency = /^\$([^-]*)/.exec(text)?.[1];
  if (currency !== undefined) return [{ type: 'text', text: currency }];
  if (/^(?:h+|m+|s+)$/i.test(text)) return [{ type: 'elapsed', text: text.toLowerCase() }];
  const condition = /^(<=|>=|<>|<|>|=) *(-?[\d.]+)$/.exec(text);
  const than = Number(condition?.[2]);
  if (!condition || !Number.isFinite(than)) return [];
  return { sign: condition[1] as Condition['sign'], than }; // the expression allows only these
}

/** The sections of a code: for positive numbers, negative ones, zero and texts, or for what their conditions say. */
export function sectionsOf(code: string): Section[] {
  const sections: { tokens: Token[]; condition: Condition | null }[] = [{ tokens: [], condition: null }];
  for (let at = 0; at < code.length;) {
    const section = sections.at(-1);
    if (!section) break;
    const letter = code.charAt(at);
    const piece = firstPiece(code, at);
    if (piece) {
      if ('sign' in piece.means) section.condition = piece.means;
      else section.tokens.push(...piece.means);
      at += piece.length;
      continue;
    }
    at += 1;
    const mark = marks[letter];
    if (letter === ';') sections.push({ tokens: [], condition: null });
    else if (mark) section.tokens.push(mark);
    else if (letter === '0' || letter === '#' || letter === '?') section.tokens.push({ type: 'digit', text: letter });
    else section.tokens.push({ type: 'text', text: letter });
  }
  return sections;
}

function firstPiece(code: string, at: number) {
  for (const [pattern, means] of pieces) {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (found && found[0] !== '') return { means: means(found[1] ?? ''), length: found[0].length };
  }
  return undefined;
}
