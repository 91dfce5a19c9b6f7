import type { CallEnd } from '../agents/tool-turns/tool-port.ts';
import { firstIdBytes, idBytes, idText } from '../core/ids.ts';
import { cut } from '../rules/conversation-context.ts';
import { parseQuery } from '../rules/search-query.ts';
import { isOfStrangers } from '../rules/strangers.ts';
import { contextMessages } from '../agents/context-messages.ts';
import type { Hit } from '../search/message-search.ts';
import { everByName } from '../store/accounts.ts';
import { firstSince, foundAmong, lightById, mark, messageByKey, type MessageRow } from '../store/messages.ts';
import type { TurnRow } from '../store/turns.ts';
import { fitting } from './fitting.ts';
import type { OwnToolNeeds, Run } from './own-tools.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

/** Maximum messages in one answer. */
export const MAX_HITS = 20;
/** How often the search goes on while it has examined much and found nothing. */
export const MAX_PAGES = 5;
/** Maximum UTF-16 units of each message. */
export const MAX_TEXT = 2_000;
export const END = Number.MAX_SAFE_INTEGER;
export const NOTHING = 'Nothing was found.';
/** The marks of U+E000 and U+E001 around what was found. */
const marks = /[\uE000\uE001]/g;
/** What no model receives, also of what the asker sees: the reply is for everybody here (OWN-2). */
const UNHEARD = mark.private | mark.unheard | mark.service | mark.replaced;

/** Finds messages of the turn's conversation that the asker sees at this moment. */
export const searchConversation: Run = async (needs, sent, signal) => {
  const { read } = needs;
  const { turn } = sent;
  const given = argumentsOf('search_messages', sent);
  const query = parseQuery(given.query);
  if (query.length === 0) throw new Misuse('The query has no word.');
  const sender = given.from === undefined ? undefined : await read.get(everByName, given.from.replace(/^@/, ''));
  // As for somebody who has written nothing here: the conversation does not tell who exists elsewhere.
  if (given.from !== undefined && !sender) return answer([], { isOpenWorld: false, note: NOTHING });
  let before = await placeOf(needs, turn, given);
  for (let page = 1; ; page += 1) {
    const { hits, next } = await needs.search.find({
      accountKey: turn.human_key,
      ownerKey: turn.human_key,
      query,
      chatKey: turn.chat_key,
      senderKey: sender?.key ?? 0,
      has: null,
      before,
      after: 0,
      limit: MAX_HITS,
    });
    signal.throwIfAborted();
    const rows = await heardRows(needs, turn, hits);
    if (rows.length === 0 && next !== null && page < MAX_PAGES) {
      before = next;
      continue;
    }
    if (rows.length > 0) return shown(needs, turn, { hits, rows, hasMore: next !== null });
    return answer([], { isOpenWorld: false, note: next === null ? NOTHING : await unfinished(needs, next) });
  }
};

/** The position before which to search. */
async function placeOf(
  { read }: OwnToolNeeds,
  { human_key: asker, chat_key: chat }: TurnRow,
  { before, before_time: time }: { before?: string | undefined; before_time?: string | undefined },
): Promise<number> {
  if (before !== undefined) {
    const from = await read.get(lightById, idBytes(before), asker);
    if (from?.chat_key === chat) return from.key;
    throw new Misuse('There is no message of this id.');
  }
  if (time === undefined) return END;
  return (await read.get(firstSince, firstIdBytes(Date.parse(time))))?.key ?? END;
}

/** What the model is told of a search that has examined much, found nothing, and has not come to the beginning. */
async function unfinished({ read }: OwnToolNeeds, next: number): Promise<string> {
  const row = await read.get(messageByKey, next);
  const start = 'Nothing was found so far, but older messages were not looked at';
  // One millisecond later, so that what was sent at the same time is not passed over.
  return row
    ? `${start}: ask again with ${new Date(row.created_at + 1).toISOString()} as before_time.`
    : `${start}: search for rarer words.`;
}

/** The messages of hits that may go to a model, as they are now, newest first. `chat_key` 0: of all the asker's conversations. */
export async function heardRows(
  { read }: Pick<OwnToolNeeds, 'read'>,
  { human_key: asker, chat_key: chat }: { human_key: number; chat_key: number },
  hits: readonly Hit[],
): Promise<MessageRow[]> {
  if (hits.length === 0) return [];
  const keys = hits.map(({ key }) => key);
  const rows = await read.list(foundAmong, keys, asker);
  return rows
    .filter(
      ({ chat_key, marks: own, status }) =>
        (chat === 0 || chat_key === chat) && (own & UNHEARD) === 0 && status !== 'failed',
    )
    .toSorted((one, other) => other.key - one.key);
}

async function shown(
  { read }: OwnToolNeeds,
  turn: TurnRow,
  { hits, rows, hasMore }: { hits: readonly Hit[]; rows: readonly MessageRow[]; hasMore: boolean },
) {
  const messages = await contextMessages(read, rows);
  const items = messages.map((message, at) => {
    const { senderUsername, senderDisplayName, content, act, forwardedFrom, attachments = [] } = message;
    const row = rows[at];
    const hit = hits.find(({ key, record }) => key === message.key && record === row?.record);
    const isInFile = hit?.fileId !== undefined;
    const files = attachments.flatMap(({ id, name, kind }) => (id === undefined ? [] : [{ file_id: id, name, kind }]));
    const item = {
      id: row ? idText(row.id) : '',
      at: row ? new Date(row.created_at).toISOString() : '',
      from: senderUsername,
      name: senderDisplayName,
      ...(forwardedFrom && { forwarded_from: forwardedFrom.username }),
      text: cut(act ?? content, MAX_TEXT),
      ...(files.length > 0 && { files }),
      ...(isInFile && { found_in_file: hit.snippet.replaceAll(marks, '') }),
    };
    // What stands in a file may be from strangers, as in a context (CALL-8).
    const isStrangers = isOfStrangers({ senderKey: message.senderKey, isForwarded: forwardedFrom !== undefined }, turn);
    return { item, isOpenWorld: isInFile && isStrangers };
  });
  const kept = fitting(items.map(({ item }) => item));
  const isCut = hasMore || kept.length < items.length;
  return answer(kept, {
    isOpenWorld: items.slice(0, kept.length).some(({ isOpenWorld }) => isOpenWorld),
    note: isCut ? 'There may be more: ask again with the id of the last one as before.' : undefined,
  });
}

const answer = (
  messages: readonly object[],
  { isOpenWorld, note }: { isOpenWorld: boolean; note: string | undefined },
): CallEnd => ({
  event: 'finish',
  result: JSON.stringify({ messages, ...(note !== undefined && { note }) }),
  isOpenWorld,
});
