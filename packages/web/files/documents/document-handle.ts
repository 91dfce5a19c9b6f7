import type { RefObject } from 'react';

/** Where a document is scrolled to. */
export interface PagePlace {
  readonly number: number;
  readonly count: number;
}

/** What the bar of the viewer asks of the document that is shown. */
export interface DocumentHandle {
  /** The number of places that contain the words; marks them. An empty text marks none. */
  find: (words: string, signal: AbortSignal) => Promise<number>;
  /** Scrolls to one of these places. */
  show: (at: number) => void;
  /** Only of a document with pages; the first is 1. */
  goTo?: (page: number) => void;
}

export type HandleRef = RefObject<DocumentHandle | null>;

/** Maximum places that are marked. */
export const MAX_PLACES = 1_000;

/** Matches the words wherever they stand, whatever their case and the white space between them; null for none. */
export function matcherOf(words: string): RegExp | null {
  const parts = words.trim().split(/\s+/);
  if (parts.join('') === '') return null;
  // Literal words with white space between them take linear time.
  // oxlint-disable-next-line parley/linear-expressions
  return new RegExp(parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('\\s+'), 'giu');
}
