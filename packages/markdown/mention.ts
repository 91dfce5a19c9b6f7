import { characterBefore } from './emphasis.ts';
import { characterAt, isSpacedLetter } from './unspaced.ts';

const NAME = /[A-Za-z0-9_]+(?::[A-Za-z0-9_]+)?/y;
const MAX_LENGTH = 65;

/** The username after the @ at a position. */
export function mentionAt(text: string, at: number): string | undefined {
  // After a letter of a script with spaces an @ is part of an e-mail address.
  if (isSpacedLetter(characterBefore(text, at))) return undefined;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined || name.length > MAX_LENGTH) return undefined;
  const end = at + 1 + name.length;
  const isLonger = isSpacedLetter(characterAt(text, text[end] === ':' ? end + 1 : end));
  return isLonger ? undefined : name;
}
