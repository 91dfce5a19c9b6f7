import type { Input } from '@parley/protocol';
import { callerOf } from '../agents/caller-of.ts';
import { account } from '../commits/lock-names.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything } from '../commits/unit-locks.ts';
import { addParticipants } from '../conversations/add-participants.ts';
import { asMember, beginChat } from '../conversations/begin-chat.ts';
import { pairOf } from '../conversations/make-chat.ts';
import { assertRoom, withoutBlockers } from '../conversations/members.ts';
import { forbidden, unavailable } from '../core/errors.ts';
import { idBytes, idText } from '../core/ids.ts';
import { assertMayMeet } from '../messages/may-write.ts';
import type { NewToken } from '../secrets/tokens.ts';
import { accountByName, type AccountRow, isWebhook } from '../store/accounts.ts';
import { accountRecord } from '../rendering/accounts.ts';
import { requireAccount } from '../access/known-agents.ts';
import type { BackendRow } from '../store/backends.ts';
import { chatByKey, chatForAccount, directChat, isParticipant } from '../store/chats.ts';
import { requireManagedGroup } from '../access/chats.ts';
import type { Sql } from '../store/sql.ts';
import { type Backend, ensureUser, findUser } from './backend-users.ts';
import { addSession } from './start-session.ts';

/** What a backend says about one of its users. */
export type UserClaims = Omit<Input<'createUserToken'>, 'backend_key' | 'expires_in'>;

/** Opens a limited session of a backend's user, in the conversations that the backend names (TOKEN-2 …). */
export async function openUserSession(
  call: UnitCall,
  backend: Backend,
  claims: UserClaims,
  { token, expiresAt, settled }: { token: NewToken; expiresAt: number; settled: number | null },
) {
  if (settled !== null && (await settledUser(call.tx, backend, claims)) !== settled)
    throw unavailable('the user has just changed; try again');
  const user = await ensureUser(call, backend, claims);
  for (const chatId of new Set(claims.chat_ids)) await joinGroup(call, backend, user, chatId);
  const chatKey = claims.agent_username && (await meetAgent(call, backend, user, claims.agent_username));
  const chat = chatKey ? await call.tx.get(chatByKey, chatKey) : undefined;
  await addSession(call, user, { device: undefined, tokenHash: token.hash, expiresAt, backendKey: backend.key });
  return {
    token: token.token,
    expires_at: new Date(expiresAt).toISOString(),
    account: accountRecord(user),
    ...(chat && { chat_id: idText(chat.id) }),
  };
}

/**
 * The key of the user's account, if it is already as the backend says: then the unit writes nothing but a session. Null if
 * the unit may make the account, change its name, or add it to conversations.
 */
export async function settledUser(tx: Sql, backend: BackendRow, claims: UserClaims): Promise<number | null> {
  const user = await findUser(tx, backend, claims.external_id);
  if (!user || user.display_name !== claims.display_name) return null;
  for (const chatId of claims.chat_ids ?? [])
    if (!(await tx.get(chatForAccount, idBytes(chatId), user.key))?.role) return null;
  if (claims.agent_username === undefined) return user.key;
  const agent = await tx.get(accountByName, claims.agent_username);
  return agent && (await tx.get(directChat, pairOf(user.key, agent.key))) ? user.key : null;
}

/** For a settled user the lock of signIn: the sessions of the account are counted. */
export const sessionLocks = (settled: number | null) => (settled === null ? everything : [account(settled)]);

/** Adds the user as addMembers does, for the backend's owner (TOKEN-7). */
async function joinGroup(call: UnitCall, { owner }: Backend, user: AccountRow, chatId: string): Promise<void> {
  const asOwner: UnitCall = { ...call, caller: callerOf(owner) };
  const chat = await requireManagedGroup(asOwner, chatId);
  if (await call.tx.get(isParticipant, chat.key, user.key)) return;
  assertRoom(call, chat.participant_count + 1, 'chat_ids');
  const willing = await withoutBlockers(asOwner, [user]);
  if (willing.length > 0) await addParticipants(asOwner, chat, [{ key: user.key, kind: 'human' }]);
}

/** The key of the user's direct chat with an agent, which begins now if there is none (TOKEN-8). */
async function meetAgent(call: UnitCall, { owner }: Backend, user: AccountRow, username: string): Promise<number> {
  const asUser: UnitCall = { ...call, caller: callerOf(user) };
  const agent = await requireAccount({ tx: call.tx, caller: owner }, username);
  if (agent.kind !== 'agent' || isWebhook(agent) || (agent.parent_key !== owner.key && agent.is_public === 0))
    throw forbidden('this is neither a public agent nor one of the backend’s owner');
  const pair = pairOf(user.key, agent.key);
  const known = await call.tx.get(directChat, pair);
  if (known) return known.key;
  await assertMayMeet(asUser, agent);
  const members = [user, agent].map((one) => asMember(one, 'member'));
  return beginChat(asUser, { kind: 'direct', title: null, pair, members });
}
