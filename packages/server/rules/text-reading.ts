// What the service takes from the text of a message when it is stored or its buttons are pressed, read at once.
import { mentionedIn } from '@parley/markdown';
import { offeredActions } from './component-actions.ts';
import { firstLink } from './first-link.ts';
import { mediaKindsOf } from './media-kinds.ts';

export interface TextReading {
  /** Usernames in lower case, in order of first appearance, whether or not there are such accounts. */
  readonly mentions: readonly string[];
  /** The first link to a page (LINK-1). */
  readonly link: string | null;
  /** Whether getChatMedia lists the text under links (FILE-21). */
  readonly hasLink: boolean;
  /** The actions that it offers (ACTION-10). */
  readonly actions: readonly string[];
  /** The people who are online, if it mentions them with `@here` (MENTION-16). */
  readonly here?: readonly string[];
}

/** A text of which nothing could be read. */
export const unread: TextReading = { mentions: [], link: null, hasLink: false, actions: [] };

/** Maximum UTF-16 units of a text that takes no noticeable time wherever it is read. */
const SHORT_UNITS = 2_048;

export const isShort = (text: string): boolean => text.length <= SHORT_UNITS;

export function readingOf(text: string): TextReading {
  const hasLink = mediaKindsOf(text, []).has('links');
  return {
    mentions: text.includes('@') ? [...mentionedIn(text)] : [],
    link: (hasLink ? firstLink(text) : undefined) ?? null,
    hasLink,
    actions: text.includes('{%') ? [...offeredActions(text)] : [],
  };
}
