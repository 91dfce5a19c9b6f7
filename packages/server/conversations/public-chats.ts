import { bestRank, nameRanker } from '@parley/protocol';
import { chat as chatLock, type Lock } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { joining } from '../commits/unit-locks.ts';
import { forbidden, notFound } from '../core/errors.ts';
import { idBytes, idText } from '../core/ids.ts';
import { Slice } from '../core/slices.ts';
import { accountByKey } from '../store/accounts.ts';
import { isParticipant } from '../store/chats.ts';
import { defaultChats, publicChatById, type PublicChatRow, publicChats, wasRemoved } from '../store/public-chats.ts';
import type { Sql } from '../store/sql.ts';
import { addParticipants } from './add-participants.ts';
import { assertRoom } from './members.ts';

/** Maximum groups read per statement. */
const BLOCK = 250;

interface Browsed {
  query: string;
  /** Groups that were listed before have this key or a greater one. */
  before: number;
  limit: number;
}

/** The public groups that a query finds, the newest first, at most `limit` (PUBLIC-3). */
export async function findPublicChats(
  tx: Sql,
  accountKey: number,
  { query, before, limit }: Browsed,
): Promise<PublicChatRow[]> {
  const rankOf = nameRanker(query);
  const slice = new Slice();
  const found: PublicChatRow[] = [];
  for (let next = before; ; await slice.pause()) {
    const rows = await tx.all(publicChats, accountKey, next, BLOCK);
    for (const row of rows) {
      const names = [row.title, row.description].filter((text) => text !== null);
      if (query === '' || bestRank(rankOf, names) !== null) found.push(row);
      if (found.length === limit) return found;
    }
    const last = rows.at(-1);
    if (!last || rows.length < BLOCK) return found;
    next = last.key;
  }
}

/** Makes the caller a member of a public group; 404 for one that is not public or has no people (PUBLIC-5). */
export async function joinPublicChat(call: UnitCall, chatId: string): Promise<number> {
  const { tx, caller } = call;
  // Before the group is looked for: they find none.
  if (caller.role === 'guest') throw forbidden('guests join groups by invites only');
  if (caller.kind === 'agent') throw forbidden('only its owner can add an agent to a group');
  const chat = await tx.get(publicChatById, idBytes(chatId));
  if (!chat || chat.participant_count === chat.agent_count) throw notFound('conversation');
  if (await tx.get(isParticipant, chat.key, caller.key)) return chat.key;
  if (await tx.get(wasRemoved, chat.key, caller.key))
    throw forbidden('you were removed from this group: ask its owner or admins to add or invite you');
  assertRoom(call, chat.participant_count + 1, 'chat_id');
  await addParticipants(call, chat, [{ key: caller.key, kind: 'human' }]);
  return chat.key;
}

/** The ids of the default groups: a unit that makes a new member joins it to those that it has locked. */
export const defaultChatIds = async (tx: Sql): Promise<string[]> =>
  (await tx.all(defaultChats)).map(({ id }) => idText(id));

/** Locks for `joinDefaultChats`, beside the name of the new account. */
export const locksToJoinDefaults = (chatIds: readonly string[]): Lock[] => [joining, ...chatIds.map(chatLock)];

/** Makes a new member of the service, if it is no guest, a member of the default groups that are not full (PUBLIC-9). */
export async function joinDefaultChats(call: UnitCall, accountKey: number, locked: readonly string[]): Promise<void> {
  const chats = await call.tx.all(defaultChats);
  if (chats.length === 0 || (await call.tx.get(accountByKey, accountKey))?.role === 'guest') return;
  for (const chat of chats) {
    const hasRoom = chat.participant_count < call.settings.groupMembers && chat.participant_count > chat.agent_count;
    if (!hasRoom || !locked.includes(idText(chat.id))) continue;
    if (!(await call.tx.get(isParticipant, chat.key, accountKey)))
      await addParticipants(call, chat, [{ key: accountKey, kind: 'human' }]);
  }
}
