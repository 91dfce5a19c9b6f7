import type { Account, Message, Part } from '@parley/protocol';
import { RawJson } from '../core/json.ts';
import { placeholderRecord } from '../store/message-record.ts';
import { mark, type MessageRecord, recordOf, type ShownRow, threadOf, type ThreadRow } from '../store/messages.ts';
import { valueOf } from '../store/decisions.ts';
import { pollOf } from '../store/polls.ts';
import { versionsOf } from '../store/reply-versions.ts';
import type { Awaitable } from '../store/sql.ts';
import type { AccountTexts, RenderSource } from './account-texts.ts';
import { accountJson, actorOf } from './accounts.ts';
import { shownReactions } from './reactions.ts';

/** Marks of messages that cannot be rendered without other rows. */
const renderedElsewhere = mark.reactions | mark.thread | mark.forwarded | mark.versions | mark.poll | mark.decision;

/** The text and parts of an open reply. */
export interface OpenText {
  text: string;
  revision: number;
  parts?: readonly Part[] | undefined;
  /** The revision of the newest part, if `revision` is that of the text alone (PART-7). */
  partsRevision?: number | undefined;
}

/** The text of open replies in this process's memory; the stored text is as old as the last checkpoint. */
export interface LiveTexts {
  get(messageKey: number): OpenText | undefined;
}

/** The wire Message of a row as JSON text: the record, completed from other rows. Most messages need no other row. */
export const messageJson = (source: RenderSource, row: ShownRow, live?: LiveTexts): Awaitable<RawJson<Message>> =>
  plainMessageJson(source.accounts, row) ?? fullMessageJson(source, row, live);

/** The row of a finished reply as it was when the reply began: its placeholder (STREAM-2). */
export const placeholderOf = (row: ShownRow): ShownRow => reopened({ ...row, marks: row.marks & mark.versions });

/** The row of a finished reply as if it were still open, without a text. */
export const reopened = (row: ShownRow): ShownRow => ({
  ...row,
  status: 'streaming',
  record: JSON.stringify(placeholderRecord(recordOf(row))),
});

/** Renders a message synchronously if it needs no other row; otherwise returns undefined. */
export function plainMessageJson(accounts: AccountTexts, row: ShownRow): RawJson<Message> | undefined {
  const sender = row.sender ?? accounts.get(row.sender_key);
  if (sender === undefined || row.status === 'streaming' || (row.marks & renderedElsewhere) !== 0) return undefined;
  return compose(row, {
    sender,
    reactions: [],
    thread: undefined,
    versions: undefined,
    poll: undefined,
    decision: undefined,
    open: undefined,
    forwarded: undefined,
  });
}

async function fullMessageJson(source: RenderSource, row: ShownRow, live?: LiveTexts): Promise<RawJson<Message>> {
  const { tx } = source;
  const open = row.status === 'streaming' ? live?.get(row.key) : undefined;
  const marks = row.deleted_at === null ? row.marks : 0;
  return compose(row, {
    sender: row.sender ?? (await accountJson(source, row.sender_key)),
    reactions: marks & mark.reactions ? await shownReactions(tx, row.key) : [],
    thread: marks & mark.thread ? await tx.get(threadOf, row.key) : undefined,
    versions: marks & mark.versions ? (await tx.get(versionsOf, row.key))?.value : undefined,
    poll: marks & mark.poll ? (await tx.get(pollOf, row.key))?.value : undefined,
    decision: marks & mark.decision ? (await tx.get(valueOf, row.key))?.value : undefined,
    open,
    forwarded: marks & mark.forwarded ? await forwardedOf(source, recordOf(row)) : undefined,
  });
}

/** `forwarded_from` on the wire, with the current names of the original author. */
export async function forwardedOf(
  source: RenderSource,
  { forwarded_from }: MessageRecord,
): Promise<Message['forwarded_from']> {
  if (!forwarded_from) return undefined;
  // accountJson returns the wire Account.
  const account = JSON.parse(await accountJson(source, forwarded_from.sender)) as Account;
  return { ...forwarded_from, sender: actorOf(account) };
}

interface Parts {
  /** The Account as JSON text. */
  sender: string;
  reactions: Message['reactions'];
  thread: ThreadRow | undefined;
  /** JSON texts. */
  versions: string | undefined;
  poll: string | undefined;
  decision: string | undefined;
  open: OpenText | undefined;
  forwarded: Message['forwarded_from'];
}

/** The fields of a Message that change while its reply is open. */
export const openFields = ({ text, revision, parts, partsRevision }: OpenText) => ({
  content: text,
  content_revision: revision,
  parts: parts?.length ? parts : undefined,
  parts_revision: partsRevision,
});

function compose(
  row: ShownRow,
  { sender, reactions, thread, versions, poll, decision, open, forwarded }: Parts,
): RawJson<Message> {
  const changed = open ? openFields(open) : forwarded && { forwarded_from: forwarded };
  const record = changed ? JSON.stringify({ ...recordOf(row), ...changed }) : row.record;
  const shown = reactions.length === 0 ? '[]' : JSON.stringify(reactions);
  const replies =
    thread && thread.reply_count > 0
      ? `"thread":{"count":${thread.reply_count},"last_at":"${new Date(thread.last_at).toISOString()}"},`
      : '';
  const others =
    (versions === undefined ? '' : `"versions":${versions},`) +
    (poll === undefined ? '' : `"poll":${poll},`) +
    (decision === undefined ? '' : `"decision":${decision},`);
  return new RawJson(
    `{"position":${row.key},"sender":${sender},"reactions":${shown},${replies}${others}${record.slice(1)}`,
  );
}
