/**
 * A line that is read up to `at`, its next character that is not blank, which stands in
 * `column`; the first `consumed` columns belong to the containers that it is in.
 */
export type Line = { readonly text: string; readonly end: number; at: number; column: number; consumed: number };

/** Text indented so far is code. */
export const CODE_INDENT = 4;

const TAB = 0x09;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const TAB_WIDTH = 4;

export function readLine(text: string, start: number, end: number): Line {
  const line: Line = { text, end, at: start, column: 0, consumed: 0 };
  passBlanks(line);
  return line;
}

/** Reads past the mark of a container at `at`, and the blanks behind it. */
export function passMark(line: Line, width: number): void {
  line.at += width;
  line.column += width;
  line.consumed = line.column;
  passBlanks(line);
}

function passBlanks(line: Line): void {
  for (; line.at < line.end; line.at++) {
    const char = line.text.charCodeAt(line.at);
    if (!isBlank(char)) return;
    line.column += char === TAB ? TAB_WIDTH - (line.column % TAB_WIDTH) : 1;
  }
}

export const indentOf = (line: Line) => line.column - line.consumed;
export const isEmpty = (line: Line) => line.at >= line.end;
export const isBlank = (char: number) => char === SPACE || char === TAB || char === CARRIAGE_RETURN;
export const isDigit = (char: number) => char >= 0x30 && char <= 0x39;

export function restIsBlank({ text, end }: Line, from: number): boolean {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at >= end;
}

/** A thematic break: three or more of one of `*-_`, and blanks. */
export function isRule({ text, at, end }: Line): boolean {
  if (!'*-_'.includes(text.charAt(at))) return false;
  const mark = text.charCodeAt(at);
  let count = 0;
  for (let next = at; next < end; next++) {
    const char = text.charCodeAt(next);
    if (char === mark) count++;
    else if (!isBlank(char)) return false;
  }
  return count >= 3;
}

/** How many characters equal to the one at `at` follow one another, itself included. */
export function runLength(text: string, at: number, end: number): number {
  const char = text.charCodeAt(at);
  let after = at + 1;
  while (after < end && text.charCodeAt(after) === char) after++;
  return after - at;
}
