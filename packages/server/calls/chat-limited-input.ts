// For a token with `chat_ids` no other conversation exists (ACCESS-8). What a call names outside of them is replaced by an
// id that nothing has, so that the handler answers as it does for what does not exist.
import { randomUUID } from 'node:crypto';
import { isUuid, type OperationName } from '@parley/protocol';
import { forbidden } from '../core/errors.ts';
import { idBytes, idText } from '../core/ids.ts';
import { fileInChats, placesOf } from '../store/access-tokens.ts';
import type { Sql } from '../store/sql.ts';

/** What the ids in a field name. */
type Named = 'chat' | 'file' | keyof typeof placesOf;

const named: Readonly<Record<string, Named>> = {
  chat_id: 'chat',
  conversation_id: 'chat',
  to_chat_id: 'chat',
  chat_ids: 'chat',
  message_id: 'message',
  message_ids: 'message',
  thread_root_id: 'message',
  reply_to_message_id: 'message',
  reply_to_id: 'message',
  around: 'message',
  before: 'message',
  after: 'message',
  scheduled_id: 'scheduled',
  schedule_id: 'scheduled',
  reminder_id: 'scheduled',
  invite_id: 'invite',
  avatar_file_id: 'file',
  file_id: 'file',
};

/** Fields with values of clients' own, in which nothing is an id of ours. */
export const freeFields: ReadonlySet<string> = new Set([
  'attachments',
  'service',
  'data',
  'config',
  'fields',
  'arguments',
  'components',
]);

/** They would bring the token a conversation that it may not know. */
const bringsChat: ReadonlySet<OperationName> = new Set(['startChat', 'joinChat']);

/** They replace an arrangement of all of the person's conversations, also of those that the token cannot see. */
const arrangesAll: ReadonlySet<OperationName> = new Set(['setFolders', 'orderPinnedChats']);

/** 403 for what no token with `chat_ids` may do. */
export function assertStaysInChats(name: OperationName, input: object): void {
  if (bringsChat.has(name)) throw forbidden('this access token is for certain conversations only');
  if (name === 'setInboxDone' && 'through_position' in input && input.through_position !== undefined)
    throw forbidden('through_position reaches beyond the conversations of this access token: name message_ids');
  if (arrangesAll.has(name))
    throw forbidden('this would change the place of conversations that the access token is not for');
}

/** The input, in which ids of other conversations, and of what is in them, are ids that nothing has. */
export async function inputWithin<Given extends object>(
  read: Sql,
  { chatIds, accountKey }: { chatIds: ReadonlySet<string>; accountKey: number },
  input: Given,
): Promise<Given> {
  const found: Record<Exclude<Named, 'chat'>, Set<string>> = {
    file: new Set(),
    message: new Set(),
    scheduled: new Set(),
    invite: new Set(),
  };
  walk(input, (kind, id) => {
    if (kind !== 'chat') found[kind].add(id);
    return id;
  });
  const outside = new Set<string>();
  for (const kind of ['message', 'scheduled', 'invite'] as const) {
    if (found[kind].size === 0) continue;
    const rows = await read.list(placesOf[kind], [...found[kind]].map(idBytes));
    for (const { id, chat_id } of rows) if (!chatIds.has(idText(chat_id))) outside.add(`${kind} ${idText(id)}`);
  }
  const chats = [...chatIds].map(idBytes);
  for (const id of found.file)
    if ((await read.list(fileInChats, chats, idBytes(id), accountKey)).length === 0) outside.add(`file ${id}`);
  const isOutside = (kind: Named, id: string) => (kind === 'chat' ? !chatIds.has(id) : outside.has(`${kind} ${id}`));
  return walk(input, (kind, id) => (isOutside(kind, id) ? randomUUID() : id)) as Given; // only ids have changed
}

/** A copy in which each id is what `replace` returns for it. */
function walk(value: unknown, replace: (kind: Named, id: string) => string, kind?: Named): unknown {
  if (typeof value === 'string') return kind && isUuid(value) ? replace(kind, value.toLowerCase()) : value;
  if (Array.isArray(value)) return value.map((item) => walk(item, replace, kind));
  // What a class has made, such as a file, has no ids.
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      field === 'attachments' && Array.isArray(item)
        ? item.map((one) => withFile(one, replace))
        : freeFields.has(field)
          ? item
          : walk(item, replace, Object.hasOwn(named, field) ? named[field] : undefined),
    ]),
  );
}

/** An attachment with an `id` is a file; its other fields are the client's own. */
function withFile(attachment: unknown, replace: (kind: Named, id: string) => string): unknown {
  if (typeof attachment !== 'object' || attachment === null || !('id' in attachment)) return attachment;
  const { id } = attachment;
  return typeof id === 'string' && isUuid(id) ? { ...attachment, id: replace('file', id.toLowerCase()) } : attachment;
}
