import { characterBefore } from './emphasis.ts';

// As the service reads them: right before an @ these make it an e-mail address.
const BEFORE_AT = /[\p{L}\p{Nd}_]/u;
const NAME = /[A-Za-z0-9_]+(?::[A-Za-z0-9_]+)?/y;
const NO_NAME_AFTER = /[\p{L}\p{Nd}_]|:[\p{L}\p{Nd}_]/uy;
const MOST_LENGTH = 65;

/** The name behind the @ that stands there. */
export function mentionAt(text: string, at: number): string | undefined {
  if (BEFORE_AT.test(characterBefore(text, at))) return undefined;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined || name.length > MOST_LENGTH) return undefined;
  NO_NAME_AFTER.lastIndex = at + 1 + name.length;
  return NO_NAME_AFTER.test(text) ? undefined : name;
}
