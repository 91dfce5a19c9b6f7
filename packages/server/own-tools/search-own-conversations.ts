import { contextMessages } from '../agents/context-messages.ts';
import { idBytes, idText } from '../core/ids.ts';
import { cut } from '../rules/conversation-context.ts';
import { parseQuery } from '../rules/search-query.ts';
import { chatByKey, isParticipant } from '../store/chats.ts';
import { lightById, messageByKey, type MessageRow, recordOf } from '../store/messages.ts';
import type { TurnRow } from '../store/turns.ts';
import { fitting } from './fitting.ts';
import type { OwnToolNeeds, Run } from './own-tools.ts';
import { END, heardRows, MAX_HITS, MAX_PAGES, MAX_TEXT, NOTHING } from './search-conversation.ts';
import { argumentsOf, Misuse } from './tool-arguments.ts';

/**
 * Finds messages in all conversations in which the asker takes part now (OWN-12). What others wrote there counts as words
 * of strangers: those who read the reply have not seen who said it to whom.
 */
export const searchOwnConversations: Run = async (needs, sent, signal) => {
  const { turn } = sent;
  if (await isUnattended(needs, turn)) throw new Misuse('Only a reply that a person has just asked for may do this.');
  const given = argumentsOf('search_my_conversations', sent);
  const query = parseQuery(given.query);
  if (query.length === 0) throw new Misuse('The query has no word.');
  let before = await placeOf(needs, turn, given.before);
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const asker = { accountKey: turn.human_key, ownerKey: turn.human_key };
    const place = { chatKey: 0, senderKey: 0, has: null, before, after: 0, limit: MAX_HITS };
    const { hits, next } = await needs.search.find({ ...asker, ...place, query });
    signal.throwIfAborted();
    const rows = await heardRows(needs, { human_key: turn.human_key, chat_key: 0 }, hits);
    if (rows.length > 0) return shown(needs, turn, rows, next !== null);
    if (next === null) break;
    before = next;
  }
  return { event: 'finish', result: JSON.stringify({ messages: [], note: NOTHING }), isOpenWorld: false };
};

/**
 * Whether no person has just asked: an agent, a schedule or a program fired the turn. A program's access token may be for
 * this conversation alone.
 */
async function isUnattended({ read }: OwnToolNeeds, turn: TurnRow): Promise<boolean> {
  if (turn.hop > 0 || turn.unprompted === 1) return true;
  const fired = await read.get(messageByKey, turn.message_key);
  if (!fired) return true;
  const { schedule_id: scheduleId, via } = recordOf(fired);
  return scheduleId !== undefined || via !== undefined;
}

/** The position before which to search. */
async function placeOf({ read }: OwnToolNeeds, { human_key: asker }: TurnRow, before?: string): Promise<number> {
  if (before === undefined) return END;
  const from = await read.get(lightById, idBytes(before), asker);
  if (from && (await read.get(isParticipant, from.chat_key, asker))) return from.key;
  throw new Misuse('There is no message of this id.');
}

async function shown({ read }: OwnToolNeeds, turn: TurnRow, rows: readonly MessageRow[], hasMore: boolean) {
  const messages = await contextMessages(read, rows);
  const chats = new Map<number, object>();
  for (const { chat_key: key } of rows) {
    const chat = chats.has(key) ? undefined : await read.get(chatByKey, key);
    if (chat) chats.set(key, { conversation_id: idText(chat.id), ...(chat.title !== null && { title: chat.title }) });
  }
  const items = messages.map((message, at) => {
    const row = rows[at];
    return {
      id: row ? idText(row.id) : '',
      at: row ? new Date(row.created_at).toISOString() : '',
      conversation: row && chats.get(row.chat_key),
      from: message.senderUsername,
      name: message.senderDisplayName,
      ...(message.forwardedFrom && { forwarded_from: message.forwardedFrom.username }),
      text: cut(message.act ?? message.content, MAX_TEXT),
    };
  });
  const kept = fitting(items);
  const isCut = hasMore || kept.length < items.length;
  const note = isCut ? { note: 'There may be more: ask again with the id of the last one as before.' } : {};
  const isOthers = ({ senderKey, forwardedFrom }: (typeof messages)[number]) =>
    senderKey !== turn.human_key || forwardedFrom !== undefined;
  return {
    event: 'finish' as const,
    result: JSON.stringify({ messages: kept, ...note }),
    isOpenWorld: messages.slice(0, kept.length).some(isOthers),
  };
}
