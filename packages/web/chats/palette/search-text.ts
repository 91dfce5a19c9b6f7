import type { SearchedKind } from '@parley/protocol';
import { dayStart, dayText } from '../../words/times.ts';

export type DateName = 'on' | 'before' | 'after';
type ModifierName = 'from' | 'has' | DateName;

/** Limits the search to the messages of an account, to those that hold something, or to those of some days. */
export interface Modifier {
  readonly name: ModifierName;
  /** A username, a kind of content, or a day of `dayText`. */
  readonly value: string;
}

/** What a typed text asks for. */
export interface SearchText {
  /** The text without its modifiers. */
  readonly words: string;
  readonly modifiers: readonly Modifier[];
  /** The modifier at the end of the text, while it is typed: a username to complete, or a part of a kind or a day. */
  readonly open: Modifier | null;
}

interface Piece {
  readonly text: string;
  readonly modifier?: Modifier;
  readonly isOpen?: boolean;
}

/** As searchMessages reads a query: quoted words stay together. */
const PIECES = /["“”„][^"“”„]*["“”„]?|[^\s"“”„]+/gu;
/** Longer values stay text: no username is so long. */
const MODIFIER = /^(from|has|on|before|after):(.{0,64})$/iu;
const USERNAME = /^@?([a-z0-9_:]+)$/iu;

/** The day of a text such as 2026-11-20; null if there is no such day. */
function dayOf(text: string): string | null {
  const start = dayStart(text);
  return start !== null && dayText(start) === text ? text : null;
}

/** What `has:` names. */
export const kinds = ['image', 'video', 'audio', 'file', 'link'] as const satisfies readonly SearchedKind[];

/** The kind that a text names; null if it names none. */
export const kindOf = (text: string): SearchedKind | null => kinds.find((kind) => kind === text.toLowerCase()) ?? null;

function valueOf(name: ModifierName, typed: string): string | null {
  if (name === 'from') return USERNAME.exec(typed)?.[1]?.toLowerCase() ?? null;
  return name === 'has' ? kindOf(typed) : dayOf(typed);
}

function piecesOf(typed: string): Piece[] {
  return Array.from(typed.matchAll(PIECES), ({ 0: text, index }) => {
    const found = MODIFIER.exec(text);
    if (!found) return { text };
    // The pattern allows no other names.
    const name = found[1]?.toLowerCase() as ModifierName;
    const rest = found[2] ?? '';
    const value = valueOf(name, rest);
    const isAtEnd = index + text.length === typed.length;
    // A username may continue, a whole day or kind does not.
    if (isAtEnd && (name === 'from' || value === null))
      return { text, modifier: { name, value: rest.replace(/^@/, '') }, isOpen: true };
    return value === null ? { text } : { text, modifier: { name, value } };
  });
}

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join(' ');

/** Takes the modifiers out of a typed text. What is not understood stays text; of a modifier given twice, the last counts. */
export function readSearch(typed: string): SearchText {
  const pieces = piecesOf(typed);
  const modifiers = new Map<ModifierName, Modifier>();
  for (const { modifier, isOpen } of pieces) if (modifier && !isOpen) modifiers.set(modifier.name, modifier);
  return {
    words: joined(pieces.filter(({ modifier }) => !modifier)),
    modifiers: [...modifiers.values()],
    open: pieces.find(({ isOpen }) => isOpen)?.modifier ?? null,
  };
}

/** The typed text without a modifier. */
export function withoutModifier(typed: string, name: ModifierName): string {
  const left = piecesOf(typed).filter(({ modifier }) => modifier?.name !== name);
  return left.length === 0 ? '' : `${joined(left)} `;
}

/** The typed text with a modifier in place of one with the same name. */
export const withModifier = (typed: string, { name, value }: Modifier): string =>
  `${withoutModifier(typed, name)}${name}:${name === 'from' ? '@' : ''}${value} `;

/** The typed text with the start of a `from:` at its end, for a username to follow. */
export const withOpenFrom = (typed: string): string => `${withoutModifier(typed, 'from')}from:`;

const nextDay = (start: Date): Date => new Date(start.getFullYear(), start.getMonth(), start.getDate() + 1);
const latest = (times: readonly Date[]): string | undefined =>
  times.length === 0 ? undefined : new Date(Math.max(...times.map(Number))).toISOString();
const earliest = (times: readonly Date[]): string | undefined =>
  times.length === 0 ? undefined : new Date(Math.min(...times.map(Number))).toISOString();

/** The params of searchMessages. Days begin and end in the reader's time zone; `before` and `after` leave out their day. */
export function messageQuery({ words, modifiers }: SearchText) {
  const starts = (names: readonly ModifierName[]): Date[] =>
    modifiers.flatMap(({ name, value }) => (names.includes(name) ? (dayStart(value) ?? []) : []));
  return {
    query: words,
    sender: modifiers.find(({ name }) => name === 'from')?.value,
    has: kindOf(modifiers.find(({ name }) => name === 'has')?.value ?? '') ?? undefined,
    after: latest([...starts(['on']), ...starts(['after']).map(nextDay)]),
    before: earliest([...starts(['before']), ...starts(['on']).map(nextDay)]),
  };
}

/** Whether the text asks for messages alone. */
export const hasModifier = ({ modifiers, open }: SearchText): boolean => modifiers.length > 0 || open !== null;
