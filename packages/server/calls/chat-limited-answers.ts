// Leaves out of answers what is in other conversations than those of the token (ACCESS-8).
import { isUuid } from '@parley/protocol';
import { notFound } from '../core/errors.ts';
import { idBytes, idText } from '../core/ids.ts';
import { placesOf } from '../store/access-tokens.ts';
import type { Sql } from '../store/sql.ts';
import { freeFields } from './chat-limited-input.ts';

type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** Says of each record in an answer whether it is of another conversation. */
export async function outsideOf(
  read: Sql,
  chatIds: ReadonlySet<string>,
  answer: unknown,
): Promise<(value: unknown) => boolean> {
  const messages = new Set<string>();
  collect(answer, messages);
  const rows = messages.size === 0 ? [] : await read.list(placesOf.message, [...messages].map(idBytes));
  const elsewhere = new Set(rows.filter((row) => !chatIds.has(idText(row.chat_id))).map((row) => idText(row.id)));
  const isOutside = (value: unknown): boolean => {
    const fields = fieldsOf(value);
    if (!fields) return false;
    const chatId = chatOf(fields);
    if (chatId !== undefined) return !chatIds.has(chatId);
    if (['message', 'conversation', 'chat'].some((name) => isOutside(fields[name]))) return true;
    return typeof fields.message_id === 'string' && elsewhere.has(fields.message_id);
  };
  return isOutside;
}

/** The answer without records of other conversations; throws not_found if it is one itself. */
export async function answerWithin(read: Sql, chatIds: ReadonlySet<string>, answer: unknown): Promise<unknown> {
  const isOutside = await outsideOf(read, chatIds, answer);
  if (isOutside(answer)) throw notFound('conversation');
  return kept(answer, isOutside, chatIds);
}

/** The conversation that a record is, or names. */
export function chatOf(fields: Fields): string | undefined {
  const { conversation_id, chat_id, id, unread_count, participants } = fields;
  if (typeof conversation_id === 'string') return conversation_id;
  if (typeof chat_id === 'string') return chat_id;
  return typeof id === 'string' && unread_count !== undefined && participants !== undefined ? id : undefined;
}

/** Ids of messages in records that do not name their conversation. */
function collect(value: unknown, messages: Set<string>): void {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, messages));
  const fields = fieldsOf(value);
  if (!fields) return;
  if (chatOf(fields) === undefined && typeof fields.message_id === 'string' && isUuid(fields.message_id))
    messages.add(fields.message_id);
  for (const [name, item] of Object.entries(fields)) if (!freeFields.has(name)) collect(item, messages);
}

/** Fields that are lists of conversations' ids: those of a call, and what the rule of a folder leaves out. */
const idLists: ReadonlySet<string> = new Set(['chat_ids', 'left_out']);

function kept(value: unknown, isOutside: (value: unknown) => boolean, chatIds: ReadonlySet<string>): unknown {
  if (Array.isArray(value))
    return value.filter((item) => !isOutside(item)).map((item) => kept(item, isOutside, chatIds));
  const fields = fieldsOf(value);
  if (!fields) return value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, item]) => {
      if (freeFields.has(name)) return [[name, item]];
      if (isOutside(item)) return [];
      if (idLists.has(name) && Array.isArray(item)) return [[name, item.filter((id) => chatIds.has(String(id)))]];
      return [[name, kept(item, isOutside, chatIds)]];
    }),
  );
}
