// Data that no index leads to: the rows of all accounts are scanned, one window at a time, for those of one account.
import type { Decision } from '@parley/protocol';
import { attachmentOf } from '../files/attachment.ts';
import { idText } from '../core/ids.ts';
import { noAccountTexts } from '../rendering/account-texts.ts';
import type { AccountRow } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { decidedBy, lastFile, lastMessage, ownFiles, ownMessages, ownReactions, ownVotes } from '../store/exports.ts';
import { fileForAccount } from '../store/files.ts';
import { forwardedOf } from '../rendering/messages.ts';
import { withoutCopied } from '../store/message-record.ts';
import { mark, messageByKey, type MessageRow, recordOf } from '../store/messages.ts';
import { valueOf } from '../store/decisions.ts';
import { pollOf } from '../store/polls.ts';
import { optionsOf } from '../rules/polls.ts';
import { shownReactions } from '../rendering/reactions.ts';

/** Rows scanned per read. */
const WINDOW = 1_000;

const time = (ms: number): string => new Date(ms).toISOString();

/** Splits a range of keys into windows. */
function* windows(first: number, last: number): Generator<[after: number, through: number]> {
  for (let after = first - 1; after < last; after += WINDOW) yield [after, Math.min(after + WINDOW, last)];
}

/**
 * All messages: an account reacts to messages that are older than itself, and messages that are sent at once are stored
 * in another order than that of their ids.
 */
async function messageWindows(read: Sql): Promise<Generator<[number, number]>> {
  return windows(1, (await read.get(lastMessage))?.key ?? 0);
}

export async function* messages(read: Sql, account: AccountRow): AsyncGenerator<unknown[]> {
  for (const [after, through] of await messageWindows(read)) {
    for (const { key } of await read.all(ownMessages, after, through, account.key)) {
      // Read only now, because the message may have been deleted since the window was read.
      const row = await read.get(messageByKey, key);
      if (row && row.deleted_at === null) yield [await message(read, row)];
    }
    yield [];
  }
}

async function message(read: Sql, row: MessageRow): Promise<unknown> {
  const counts = row.marks & mark.reactions ? await shownReactions(read, row.key) : [];
  const poll = row.marks & mark.poll ? await read.get(pollOf, row.key) : undefined;
  const decision = row.marks & mark.decision ? await read.get(valueOf, row.key) : undefined;
  const record = recordOf(row);
  const isOthers = record.forwarded_from !== undefined && record.forwarded_from.sender !== row.sender_key;
  return {
    // The content that others wrote and the accounts that reacted are not the account's own data (EXPORT-3).
    ...(isOthers ? withoutCopied(record) : record),
    forwarded_from: await forwardedOf({ tx: read, accounts: noAccountTexts }, record),
    poll: poll && (JSON.parse(poll.value) as unknown),
    decision: decision && (JSON.parse(decision.value) as unknown),
    reactions: counts.map(({ emoji, count }) => ({ emoji, count })),
  };
}

export async function* reactions(read: Sql, account: AccountRow): AsyncGenerator<unknown[]> {
  for (const [after, through] of await messageWindows(read)) {
    const rows = await read.all(ownReactions, after, through, account.key);
    yield rows.map(({ id, emoji, created_at }) => ({ message_id: idText(id), emoji, created_at: time(created_at) }));
  }
}

export async function* votes(read: Sql, account: AccountRow): AsyncGenerator<unknown[]> {
  for (const [after, through] of await messageWindows(read)) {
    const rows = await read.all(ownVotes, after, through, account.key);
    yield rows.map((row) => ({
      message_id: idText(row.id),
      options: optionsOf(row.options),
      voted_at: time(row.voted_at),
    }));
  }
}

/** What the account has decided, without the question, which others wrote. */
export async function* decided(read: Sql, account: AccountRow): AsyncGenerator<unknown[]> {
  for (const [after, through] of await messageWindows(read)) {
    const rows = await read.all(decidedBy, after, through, account.username);
    yield rows
      .map(({ id, value }) => ({ message_id: idText(id), decision: JSON.parse(value) as Decision })) // as stored
      .filter(({ decision }) => decision.decided_by === account.username)
      .map(({ message_id, decision: { option, fields, decided_at } }) => ({ message_id, option, fields, decided_at }));
  }
}

export async function* uploads(read: Sql, key: number): AsyncGenerator<unknown[]> {
  for (const [after, through] of windows(1, (await read.get(lastFile))?.key ?? 0)) {
    const page: unknown[] = [];
    for (const { id, created_at } of await read.all(ownFiles, after, through, key)) {
      const file = await read.get(fileForAccount, id, key);
      if (file) page.push({ ...attachmentOf(file), created_at: time(created_at) });
    }
    yield page;
  }
}
