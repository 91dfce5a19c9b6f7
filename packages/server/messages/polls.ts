import type { Poll, PollInput } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import { forbidden, invalid, notFound } from '../core/errors.ts';
import { chatScope } from '../core/event-kinds.ts';
import { idBytes } from '../core/ids.ts';
import { withResults } from '../rules/polls.ts';
import type { Call } from '../access/call.ts';
import { type OwnChatRow, ownChatByKey } from '../store/chats.ts';
import { messageById, messageByKey, type MessageRow } from '../store/messages.ts';
import { messageJson } from '../rendering/messages.ts';
import { countVotes } from '../store/poll-votes.ts';
import { insertPoll, markStale, pollOf, type PollRow, publishResults } from '../store/polls.ts';
import { isGone } from './visibility.ts';

/** Minimum time between two publications of a poll's results: a thousand voters cost little (POLL-6). */
const PUBLISH_MS = 1_000;

const pollIn = ({ value }: Pick<PollRow, 'value'>): Poll => JSON.parse(value);

export async function storePoll(
  { tx, now }: Pick<UnitCall, 'tx' | 'now'>,
  { key }: Pick<MessageRow, 'key'>,
  { question, options, is_multiple = false, is_anonymous = false, closes_in }: PollInput,
): Promise<void> {
  const poll: Poll = {
    question,
    options: options.map((text) => ({ text, votes: 0 })),
    voter_count: 0,
    is_multiple,
    is_anonymous,
    ...(closes_in !== undefined && { closes_at: new Date(now + closes_in * 1000).toISOString() }),
  };
  await tx.run(insertPoll, key, JSON.stringify(poll));
}

interface FoundPoll {
  row: MessageRow;
  chat: OwnChatRow;
  stored: PollRow;
  poll: Poll;
}

/** The poll, in a conversation in which the caller takes part (POLL-3). */
export async function requirePoll({ tx, caller }: Pick<Call, 'tx' | 'caller'>, messageId: string): Promise<FoundPoll> {
  const row = await tx.get(messageById, idBytes(messageId), caller.key);
  if (!row || (await isGone({ tx }, row))) throw notFound('message');
  const chat = await tx.get(ownChatByKey, row.chat_key, caller.key);
  if (!chat) throw forbidden('you do not take part in this conversation');
  const stored = await tx.get(pollOf, row.key);
  if (!stored) throw invalid('message_id', 'is not a poll');
  return { row, chat, stored, poll: pollIn(stored) };
}

type Publishing = Pick<UnitCall, 'tx' | 'now' | 'accounts' | 'emit'>;

/** Publishes the results now, or, if they were published a moment ago, leaves that to the next `publishPoll`. */
export async function votesChanged(call: Publishing, { row, stored, poll }: FoundPoll): Promise<void> {
  if (stored.published_at + PUBLISH_MS <= call.now) await publishPoll(call, row, poll);
  else await call.tx.run(markStale, row.key);
}

/** Stores the poll with the results of all votes, and sends the message to the participants. */
export async function publishPoll(call: Publishing, row: MessageRow, poll: Poll) {
  const { tx, now } = call;
  const value = JSON.stringify(withResults(poll, await tx.all(countVotes, row.key)));
  await tx.run(publishResults, row.key, value, now);
  const message = await messageJson(call, row);
  call.emit({ scope: chatScope(row.chat_key), kind: 'messageUpdated', params: message, ref: row.key });
  return message;
}

/** Publishes the results of a poll whose votes have changed since. */
export async function publishStale(call: Publishing, messageKey: number): Promise<void> {
  const stored = await call.tx.get(pollOf, messageKey);
  const row = stored?.is_stale === 1 ? await call.tx.get(messageByKey, messageKey) : undefined;
  if (stored && row) await publishPoll(call, row, pollIn(stored));
}
