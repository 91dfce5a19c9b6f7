import { characterBefore } from './emphasis.ts';

// Same rule as on the service: after these characters an @ is part of an email address.
const BEFORE_AT = /[\p{L}\p{Nd}_]/u;
const NAME = /[A-Za-z0-9_]+(?::[A-Za-z0-9_]+)?/y;
const NO_NAME_AFTER = /[\p{L}\p{Nd}_]|:[\p{L}\p{Nd}_]/uy;
const MOST_LENGTH = 65;

/** The username after the @ at a position. */
export function mentionAt(text: string, at: number): string | undefined {
  if (BEFORE_AT.test(characterBefore(text, at))) return undefined;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (name === undefined || name.length > MOST_LENGTH) return undefined;
  NO_NAME_AFTER.lastIndex = at + 1 + name.length;
  return NO_NAME_AFTER.test(text) ? undefined : name;
}
