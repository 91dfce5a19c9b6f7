import { limits } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { everything } from '../../commits/unit-locks.ts';
import { preparedUnit } from '../handler.ts';
import { callerOf } from '../../agents/turn-units.ts';
import { addParticipants } from '../../conversations/add-participants.ts';
import { asMember, beginChat } from '../../conversations/begin-chat.ts';
import { pairOf } from '../../conversations/make-chat.ts';
import { assertRoom, withoutBlockers } from '../../conversations/members.ts';
import { forbidden } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { assertMayMeet } from '../../messages/may-write.ts';
import { type Backend, ensureUser, requireBackend } from '../../people/backend-users.ts';
import { addSession } from '../../people/start-session.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import { accountRecord, type AccountRow, requireAccount } from '../../store/accounts.ts';
import { chatByKey, directChat, isParticipant, requireManagedGroup } from '../../store/chats.ts';

/** Opens a limited session of a backend's user, in the conversations that the backend names (TOKEN-2 …). */
export default preparedUnit('createUserToken', {
  withheld: ['backend_key'],
  async prepare({ tx }, { backend_key: key }) {
    const keyHash = tokenHash(key);
    await requireBackend(tx, keyHash);
    return { keyHash, token: newToken('s_') };
  },
  // Locks everything: it may make an account, change its name, and add it to several conversations.
  locks: everything,
  async handle(call, input, { keyHash, token }) {
    // The key may have been revoked since `prepare`.
    const backend = await requireBackend(call.tx, keyHash);
    const {
      external_id: externalId,
      display_name: displayName,
      expires_in: seconds = limits.userTokenSecondsDefault,
    } = input;
    const user = await ensureUser(call, backend, { externalId, displayName });
    for (const chatId of new Set(input.chat_ids)) await joinGroup(call, backend, user, chatId);
    const chatKey = input.agent_username && (await meetAgent(call, backend, user, input.agent_username));
    const chat = chatKey ? await call.tx.get(chatByKey, chatKey) : undefined;
    const expiresAt = call.now + seconds * 1_000;
    await addSession(call, user, { device: undefined, tokenHash: token.hash, expiresAt, backendKey: backend.key });
    return {
      token: token.token,
      expires_at: new Date(expiresAt).toISOString(),
      account: accountRecord(user),
      ...(chat && { chat_id: idText(chat.id) }),
    };
  },
});

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
  const agent = await requireAccount(call.tx, username);
  if (agent.kind !== 'agent' || (agent.parent_key !== owner.key && agent.is_public === 0))
    throw forbidden('this is neither a public agent nor one of the backend’s owner');
  await assertMayMeet(asUser, agent);
  const pair = pairOf(user.key, agent.key);
  const known = await call.tx.get(directChat, pair);
  if (known) return known.key;
  const members = [user, agent].map((one) => asMember(one, 'member'));
  return beginChat(asUser, { kind: 'direct', title: null, pair, members });
}
