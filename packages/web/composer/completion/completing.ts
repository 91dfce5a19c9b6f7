// Suggestions while typing. May import: composer/commands and the rooms below composer.
import { isSpacedLetter } from '@parley/markdown';
import type { Participant } from '@parley/protocol';
import { folded } from '@parley/protocol/folded';

/** A completable piece of text at the caret. */
export type Completing =
  | { readonly kind: 'mention'; readonly start: number; readonly end: number; readonly query: string }
  | { readonly kind: 'emoji'; readonly start: number; readonly end: number; readonly query: string }
  | { readonly kind: 'command'; readonly query: string }
  | { readonly kind: 'inline'; readonly bot: string; readonly query: string };

const MAX_SHOWN = 8;
// Same rule as the service's mentions: after these characters an @ is part of an e-mail address.
// Letters of all scripts: display names have them.
const mentionBefore = /(?:^|([^.+@-]))@([\p{L}\p{M}\p{Nd}_:]*)$/u;
// At least two letters after the colon, which follows a space: emoticons, times and addresses are left alone.
const emojiBefore = /(?:^|[\s([{"'])(:([\p{L}+-][\p{L}\p{M}\d_+-]+):?)$/iu;
const inlineQuery = /^@([a-z0-9_]+(?::[a-z0-9_]+)?)[^\S\n]+(\S[^\n]*)$/i;

/** Finds what can be completed at the caret; null if nothing. */
export function completingAt(text: string, caret: number): Completing | null {
  const before = text.slice(0, caret);
  if (/^\/[a-z0-9_]*$/i.test(before) && text.slice(caret).trim() === '')
    return { kind: 'command', query: before.slice(1).toLowerCase() };
  const [, letter = '', name] = mentionBefore.exec(before) ?? [];
  if (name !== undefined && !isSpacedLetter(letter)) {
    const start = caret - name.length - 1;
    // If the caret is inside a name, its rest is replaced too.
    const rest = /^[\p{L}\p{M}\p{Nd}_:]*/iu.exec(text.slice(caret))?.[0] ?? '';
    return { kind: 'mention', start, end: caret + rest.length, query: name.toLowerCase() };
  }
  // An odd number of backticks: the caret is in code.
  const isInCode = before.split('`').length % 2 === 0;
  const [, shortcode, emoji] = isInCode ? [] : (emojiBefore.exec(before) ?? []);
  if (shortcode !== undefined && emoji !== undefined)
    return {
      kind: 'emoji',
      start: caret - shortcode.length,
      end: caret,
      query: emoji.toLowerCase().replaceAll('_', ' '),
    };
  const inline = inlineQuery.exec(text);
  // What begins with a slash is a command.
  if (!inline || caret < text.length || inline[2]?.startsWith('/')) return null;
  return { kind: 'inline', bot: (inline[1] ?? '').toLowerCase(), query: (inline[2] ?? '').trim() };
}

type Person = Pick<Participant, 'username' | 'display_name' | 'kind'>;

/** People matching a query: names with that prefix first, then words with it, then other matches. */
export function matchingPeople<One extends Person>(people: readonly One[], query: string, me: string): One[] {
  const wanted = folded(query);
  const ranked = people.flatMap((person, at) => {
    const rank = person.username === me ? -1 : rankOf(person, wanted);
    return rank < 0 ? [] : [{ person, rank, at }];
  });
  ranked.sort((a, b) => a.rank - b.rank || a.at - b.at);
  return ranked.slice(0, MAX_SHOWN).map(({ person }) => person);
}

function rankOf({ username, display_name }: Person, wanted: string): number {
  const name = folded(display_name);
  // An agent's own name follows its owner's.
  const slug = username.slice(username.indexOf(':') + 1);
  if ([username, slug, name].some((one) => one.startsWith(wanted))) return 0;
  if ([...username.split(/[:_]/), ...name.split(/\s+/)].some((word) => word.startsWith(wanted))) return 1;
  return username.includes(wanted) ? 2 : -1;
}

/** Replaces the typed part by a mention or an emoji and a space; returns the text and the new caret. */
export function withChosen(
  text: string,
  { start, end }: { start: number; end: number },
  chosen: string,
): { text: string; caret: number } {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isFollowed = /^[\s,.;:!?)\]]/.test(after);
  const piece = `${chosen}${isFollowed ? '' : ' '}`;
  const step = /^\s/.test(after) ? 1 : 0;
  return { text: before + piece + after, caret: start + piece.length + step };
}
