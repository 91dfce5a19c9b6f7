// Whom a message mentions. Linear in the text, whatever the text.

import { proseRanges } from './markdown/prose.ts';

type Mention = { at: number; username: string };

// Right before an @ these make it an e-mail address.
const BEFORE_AT = /[\p{L}\p{Nd}_]/u;
const WORD = /[\p{L}\p{Nd}_]/uy;
const COLON = 0x3a;
// `<owner>:<slug>`, both of at most 32 characters.
const MAX_USERNAME = 65;

/** The candidates (usernames, in lower case) that the text mentions, in order of first appearance. */
export function findMentions(text: string, candidates: readonly string[]): string[] {
  const mentions = mentionsAnywhere(text, candidates);
  if (mentions.length === 0) return [];
  const found = new Set<string>();
  let next = 0;
  for (const { start, end } of proseRanges(text)) {
    for (let mention = mentions[next]; mention !== undefined && mention.at < end; mention = mentions[++next]) {
      if (mention.at >= start) found.add(mention.username);
    }
  }
  return [...found];
}

function mentionsAnywhere(text: string, candidates: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  let usernames: Set<string> | undefined;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if (BEFORE_AT.test(characterBefore(text, at))) continue;
    const end = usernameEnd(text, at + 1);
    if (end === undefined) continue;
    usernames ??= new Set(candidates);
    const username = text.slice(at + 1, end).toLowerCase();
    if (usernames.has(username)) mentions.push({ at, username });
  }
  return mentions;
}

/**
 * Where the name from `start` ends, taken as far as it goes: that makes the longest
 * match win, and `@a:helpxyz` neither `@a:help` nor `@a`. Undefined when no username can be that.
 */
function usernameEnd(text: string, start: number): number | undefined {
  const limit = start + MAX_USERNAME;
  for (let at = start; at <= limit; at++) {
    const char = text.charCodeAt(at);
    if (isUsernameChar(char)) continue;
    if (isWord(text, at)) return undefined;
    if (char !== COLON || at === start || !isWord(text, at + 1)) return at > start ? at : undefined;
  }
  return undefined;
}

function isUsernameChar(char: number): boolean {
  return (
    (char >= 0x30 && char <= 0x39) || (char >= 0x41 && char <= 0x5a) || (char >= 0x61 && char <= 0x7a) || char === 0x5f
  );
}

function isWord(text: string, at: number): boolean {
  WORD.lastIndex = at;
  return WORD.test(text);
}

/** A whole character: half a surrogate pair is no letter. */
function characterBefore(text: string, at: number): string {
  const half = text.charCodeAt(at - 1);
  const isSecondHalf = half >= 0xdc00 && half <= 0xdfff;
  return text.slice(Math.max(0, isSecondHalf ? at - 2 : at - 1), at);
}
