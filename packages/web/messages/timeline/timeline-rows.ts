import type { StoredMessage } from '@parley/client/store';
import { isSameDay } from '../../words/times.ts';

/** Messages of one sender within this time are shown under one head. */
const JOINED_MS = 5 * 60_000;

/** How a message stands among its neighbours. */
export interface RowPlace {
  /** The first of a day: a line with the date goes before it. */
  readonly startsDay: boolean;
  /** Of the same sender as the one before, and soon after it: without a head of its own. */
  readonly isJoined: boolean;
}

type Neighbour = Pick<StoredMessage, 'created_at' | 'sender' | 'service'>;

export function placeOf(
  message: Neighbour & Pick<StoredMessage, 'reply_to_id'>,
  before: Neighbour | undefined,
): RowPlace {
  const startsDay = !before || !isSameDay(before.created_at, message.created_at);
  const isSoon = before !== undefined && Date.parse(message.created_at) - Date.parse(before.created_at) < JOINED_MS;
  const isJoined =
    !startsDay &&
    isSoon &&
    before.sender.username === message.sender.username &&
    !before.service &&
    !message.service &&
    message.reply_to_id === null;
  return { startsDay, isJoined };
}
