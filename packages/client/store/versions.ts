// The versions of a reply that was regenerated, which an app shows as one row. Pure functions, for any list of messages.
import type { Message, Versions } from '@parley/protocol';

type Versioned = Pick<Message, 'id' | 'versions'>;

/**
 * The id of the message at whose place a reply has its row: its newest version. A message without versions has a row of
 * its own.
 */
export const rowOf = ({ id, versions }: Versioned): string => versions?.ids.at(-1) ?? id;

/** Whether a message has a row in its timeline: older versions of a reply have none, unless the newer ones are hidden. */
export const hasRow = (message: Versioned): boolean => rowOf(message) === message.id;

/** The id of the message that a row shows: the current version. */
export const shownIn = ({ id, versions }: Versioned): string => versions?.current ?? id;

/** The versions of a message after `events.versionsChanged`; undefined if it is the only one that is left. */
export const versionsAfter = ({ ids, current }: Versions): Versions | undefined =>
  ids.length > 1 ? { ids, current } : undefined;
