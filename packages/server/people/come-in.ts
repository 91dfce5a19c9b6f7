// How an invite lets a new person come in (ENTER-1 …).
import type { UnitCall } from '../commits/unit-call.ts';
import { callerOf } from '../agents/caller-of.ts';
import { forbidden, ServiceError } from '../core/errors.ts';
import { mayInvite } from '../rules/account-roles.ts';
import { serviceSettings } from './service-settings.ts';
import { tokenHash } from '../secrets/tokens.ts';
import { accountByKey, type AccountRow } from '../store/accounts.ts';
import { chatByKey, type ChatRow, isParticipant, participant } from '../store/chats.ts';
import { takeUse } from '../store/invites.ts';
import { addPendingJoin, inviteChats, serviceInviteByToken, takeServiceUse } from '../store/service-invites.ts';
import type { Sql } from '../store/sql.ts';
import { addParticipants } from '../conversations/add-participants.ts';
import { findInvite, KEPT_USED_UP_MS } from '../conversations/find-invite.ts';
import { assertRoom } from '../conversations/members.ts';
import { noteJoin } from '../messages/note-join.ts';

/** What an invite gives the account that is created with it. */
export interface Entry {
  role: 'member' | 'guest';
  isPending: boolean;
  inviterKey: number;
  chatKeys: readonly number[];
  /** It is a group's own invite, which outlives the role of its maker there (INVITE-10). */
  isOfGroup: boolean;
  /** Counts a use; false if none is left. */
  take: (tx: Sql) => Promise<boolean>;
}

const refused = () => forbidden('this invite is not valid: ask for a new one');

/** What an invite to the service or to a group gives; 403 if it lets nobody in (ENTER-1, ENTER-4). */
export async function requireEntry(call: { tx: Sql; now: number }, token: string): Promise<Entry> {
  const { tx, now } = call;
  const entry = (await ofService(call, token)) ?? (await ofGroup(call, token));
  if (!entry) throw refused();
  const inviter = await tx.get(accountByKey, entry.inviterKey);
  if (!inviter || inviter.deleted_at !== null || inviter.disabled_at !== null) throw refused();
  if (!mayInvite(inviter.role, (await serviceSettings(tx)).who_invites)) throw refused();
  const goesAt = now + KEPT_USED_UP_MS;
  return { ...entry, take: async (sql) => (await sql.run(entry.counts, entry.key, goesAt)) > 0 };
}

async function ofService({ tx, now }: { tx: Sql; now: number }, token: string) {
  const invite = await tx.get(serviceInviteByToken, now, tokenHash(token));
  if (!invite) return undefined;
  return {
    key: invite.key,
    counts: takeServiceUse,
    role: invite.role,
    isPending: invite.approval === 1,
    inviterKey: invite.creator_key,
    chatKeys: (await tx.all(inviteChats, invite.key)).map(({ chat_key }) => chat_key),
    isOfGroup: false,
  };
}

async function ofGroup(call: { tx: Sql; now: number }, token: string) {
  const found = await findInvite(call, token).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  });
  if (!found?.isOpen) return undefined;
  const { invite } = found;
  return {
    key: invite.key,
    counts: takeUse,
    role: 'member' as const,
    isPending: false,
    inviterKey: invite.creator_key,
    chatKeys: [invite.chat_key],
    isOfGroup: true,
  };
}

/** Counts the use and joins the groups, or notes them for an account that waits for approval (ENTER-6). */
export async function comeIn(call: UnitCall, account: AccountRow, entry: Entry): Promise<void> {
  if (!(await entry.take(call.tx))) throw refused();
  for (const chatKey of entry.chatKeys)
    if (entry.isPending) await call.tx.run(addPendingJoin, account.key, chatKey, entry.inviterKey);
    else if (entry.isOfGroup) await joinItsGroup(call, account, { chatKey, inviterKey: entry.inviterKey });
    else await joinInvited(call, account, { chatKey, inviterKey: entry.inviterKey });
}

interface Join {
  chatKey: number;
  inviterKey: number;
}

/** Joins the group of a group's own invite; 400 if it is full (INVITE-6). */
async function joinItsGroup(call: UnitCall, account: AccountRow, { chatKey, inviterKey }: Join): Promise<void> {
  const chat = await openGroup(call, account, chatKey);
  if (!chat) return;
  assertRoom(call, chat.participant_count + 1, 'invite');
  await join(call, account, chat, inviterKey);
}

/**
 * Joins a group as with an invite of that account. A group that has no people left, that is full, or that the inviter does
 * not manage at this moment is left out (ENTER-2, ENTER-7).
 */
export async function joinInvited(call: UnitCall, account: AccountRow, { chatKey, inviterKey }: Join): Promise<void> {
  const chat = await openGroup(call, account, chatKey);
  if (!chat || chat.participant_count >= call.settings.groupMembers) return;
  const inviter = await call.tx.get(participant, chat.key, inviterKey);
  if (!inviter || inviter.role === 'member') return;
  await join(call, account, chat, inviterKey);
}

/** The group, if it has people and the account is not in it. */
async function openGroup({ tx }: UnitCall, account: AccountRow, chatKey: number): Promise<ChatRow | undefined> {
  const chat = await tx.get(chatByKey, chatKey);
  if (!chat || chat.participant_count <= chat.agent_count) return undefined;
  return (await tx.get(isParticipant, chat.key, account.key)) ? undefined : chat;
}

async function join(call: UnitCall, account: AccountRow, chat: ChatRow, inviterKey: number): Promise<void> {
  const asNewcomer: UnitCall = { ...call, caller: callerOf(account) };
  await addParticipants(asNewcomer, chat, [{ key: account.key, kind: 'human' }]);
  await noteJoin(asNewcomer, chat, inviterKey);
}
