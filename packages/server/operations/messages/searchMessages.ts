import { type Input, isUuid, type Result } from '@parley/protocol';
import { type ReadCall, read } from '../handler.ts';
import type { Needs } from '../rooms.ts';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { invalid, notFound } from '../../core/errors.ts';
import { firstIdBytes, idBytes } from '../../core/ids.ts';
import { RawJson } from '../../core/json.ts';
import { forgiving, parseQuery } from '../../rules/search-query.ts';
import { snippetOf } from '../../rules/search-snippet.ts';
import { isHeld, markOf } from '../../search/held.ts';
import type { Found, Hit, SearchRequest } from '../../search/message-search.ts';
import { everByName } from '../../store/accounts.ts';
import { isParticipant, type OwnChatRow } from '../../store/chats.ts';
import { requireChat } from '../../access/chats.ts';
import { conversationsOf } from '../../access/grant-conversations.ts';
import { searchedText, firstSince, foundAmong, lightById, type MessageRow, recordOf } from '../../store/messages.ts';
import type { RenderSource } from '../../rendering/account-texts.ts';
import { textsOfPage } from '../../rendering/accounts.ts';
import { type LiveTexts, messageJson } from '../../rendering/messages.ts';
import { slicedPage } from '../sliced-page.ts';

const END = Number.MAX_SAFE_INTEGER;
/** The key of no account. */
const NO_SENDER = -1;

export default read('searchMessages', async (call, input, { search, texts }: Needs<'search' | 'texts'>) => {
  const { tx, caller } = call;
  const query = parseQuery(input.query);
  const has = input.has ?? null;
  if (query.length === 0) throw invalid('query', 'has no word');
  const forgiven = forgiving(query);
  const [cursor] = input.cursor === undefined ? [END] : decodeCursor('search', input.cursor, ['number']);
  // Among words that differ by one letter a place is negative.
  const isNear = cursor < 0;
  const chat = input.chat_id === undefined ? undefined : await requireChat(call, input.chat_id);
  // A deleted account and a private agent are accepted as the sender, because their messages still exist (SEARCH-6).
  const sender = input.sender === undefined ? undefined : await tx.get(everByName, input.sender);
  // A guest is not told whether a stranger's name exists: neither has written anything that the guest can read (ENTER-5).
  if (input.sender !== undefined && !sender && caller.role !== 'guest') throw notFound('account');
  const before = input.before === undefined ? END : await firstPlace(call, chat, input.before);
  const after = input.after === undefined ? 0 : await lastPlace(call, chat, input.after);

  const within = caller.grant && (await conversationsOf(tx, caller.grant));
  const request = {
    accountKey: caller.key,
    ownerKey: caller.ownerKey,
    chatKey: chat?.key ?? 0,
    within: within && [...within.chats],
    senderKey: input.sender === undefined ? 0 : (sender?.key ?? NO_SENDER),
    has,
    after,
  };
  const exact: Found = isNear
    ? { hits: [], next: null }
    : await search.find({ ...request, query, before: Math.min(before, cursor), limit: input.limit });
  // What was typed matches too little: the page goes on with words that differ by one letter (SEARCH-24).
  const isShort = exact.next === null && exact.hits.length < input.limit;
  const near: Found | undefined =
    forgiven && isShort
      ? await search.find({
          ...request,
          query: forgiven,
          typed: query,
          before: isNear ? Math.min(before, -cursor) : before,
          limit: input.limit - exact.hits.length,
        })
      : undefined;
  const hits = [...exact.hits, ...(near?.hits ?? [])];
  const nearHits = new Set(near?.hits);
  const next = near ? near.next : exact.next;
  const rows = await currentRows(call, hits);
  const page: RenderSource = { tx, accounts: await textsOfPage(call, rows.values()) };
  const { shown, taken } = await slicedPage({
    rows: hits,
    async render(hit, isStale) {
      const row = isStale ? await currentRow(call, hit) : rows.get(hit.key);
      // After a pause the senders, like the rows, may have changed since they were read.
      const asked = nearHits.has(hit) && forgiven ? forgiven : query;
      return row && shownHit(isStale ? call : page, texts, { query: asked, has }, { hit, row });
    },
    holds: async (hit, { record }) => (await currentRow(call, hit))?.record === record,
  });
  // The caller may have been removed during the search.
  if (input.chat_id !== undefined) await requireChat(call, input.chat_id);
  const last = taken < hits.length ? hits[taken - 1] : undefined;
  const until = taken < hits.length ? last?.key : next;
  const goesOnNear = last ? nearHits.has(last) : near !== undefined;
  return {
    items: shown.map(({ part }) => part.json),
    next_cursor: typeof until === 'number' ? encodeCursor('search', goesOnNear ? -until : until) : undefined,
  };
});

/** A hit with the current text of its message, which may have changed since the search (SEARCH-7). */
async function shownHit(
  source: RenderSource,
  texts: LiveTexts,
  { query, has }: Pick<SearchRequest, 'query' | 'has'>,
  { hit, row }: { hit: Hit; row: MessageRow },
) {
  const mark = markOf(has);
  if ((row.marks & mark) !== mark || !isHeld(row.record, has)) return undefined;
  const { record } = row;
  const found = record === hit.record ? hit : currentHit(record, query, hit);
  if (!found) return undefined;
  const { text } = await messageJson(source, row, texts);
  const { snippet, fileId: file_id } = found;
  return { record, json: new RawJson<Item>(`{"message":${text},${JSON.stringify({ snippet, file_id }).slice(1)}`) };
}

/** The hit in a record that has changed since the search: in its text or, if it still holds it, in the file. */
function currentHit(
  record: string,
  query: SearchRequest['query'],
  hit: Hit,
): Pick<Hit, 'snippet' | 'fileId'> | undefined {
  const snippet = snippetOf(searchedText(record), query);
  if (snippet !== undefined) return { snippet };
  const isHeldStill = recordOf({ record }).attachments.some(({ id }) => id !== undefined && id === hit.fileId);
  return isHeldStill ? hit : undefined;
}

/** The messages of hits that the caller may see at this moment, by key. */
async function currentRows({ tx, caller }: ReadCall, hits: readonly Hit[]): Promise<ReadonlyMap<number, MessageRow>> {
  if (hits.length === 0) return new Map();
  const keys = hits.map(({ key }) => key);
  return new Map((await tx.list(foundAmong, keys, caller.key)).map((row) => [row.key, row]));
}

const currentRow = async (call: ReadCall, hit: Hit): Promise<MessageRow | undefined> =>
  (await currentRows(call, [hit])).get(hit.key);

type Item = Result<'searchMessages'>['items'][number];
type Place = NonNullable<Input<'searchMessages'>['before']>;

/** The position of a message, or the first one since a time. */
async function firstPlace(call: ReadCall, chat: OwnChatRow | undefined, place: Place): Promise<number> {
  if (isUuid(place)) return placeOf(call, chat, place);
  return (await call.tx.get(firstSince, firstIdBytes(Date.parse(place))))?.key ?? END;
}

/** The position of a message, or the last one before a time. */
async function lastPlace(call: ReadCall, chat: OwnChatRow | undefined, place: Place): Promise<number> {
  return isUuid(place) ? placeOf(call, chat, place) : (await firstPlace(call, chat, place)) - 1;
}

/** The position of a message in a conversation of the caller; other messages give 404. */
async function placeOf({ tx, caller }: ReadCall, chat: OwnChatRow | undefined, id: string): Promise<number> {
  const row = await tx.get(lightById, idBytes(id.toLowerCase()), caller.key);
  if (!row) throw notFound('message');
  const isTheirs = chat ? row.chat_key === chat.key : await tx.get(isParticipant, row.chat_key, caller.key);
  if (!isTheirs) throw notFound('message');
  return row.key;
}
