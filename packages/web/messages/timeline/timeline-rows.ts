import type { StoredMessage } from '@parley/client/store';
import { isSameDay } from '../../words/times.ts';

/** Messages of a sender within this time share one avatar and name. */
const JOINED_MS = 5 * 60_000;

/** How a message is shown, depending on the message before it. */
interface RowPlace {
  /** It is the first of a day: a line with the date goes above it. */
  readonly startsDay: boolean;
  /** It follows a message of the same sender soon: no avatar and name. */
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
