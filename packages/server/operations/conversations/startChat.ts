import type { Input } from '@parley/protocol';
import type { UnitCall } from '../../commits/unit-call.ts';
import { account } from '../../commits/lock-names.ts';
import { joining, type LockRule } from '../../commits/unit-locks.ts';
import { unitThen } from '../handler.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { mayBeginDirectChat, type Party } from '../../rules/direct-chats.ts';
import {
  accountByKey,
  accountByName,
  type AccountRow,
  isService,
  isWebhook,
  visibilityOf,
} from '../../store/accounts.ts';
import { countSeparateChats, directChat, newestSeparateChat, sharedChat, sharedGroup } from '../../store/chats.ts';
import { asMember, beginChat } from '../../conversations/begin-chat.ts';
import { currentView } from '../../conversations/current-view.ts';
import { type NewChat, pairOf } from '../../conversations/make-chat.ts';
import { assertRoom, requireAccounts, withoutBlockers } from '../../conversations/members.ts';
import { assertMayMeet } from '../../messages/may-write.ts';

// Needs no lock of the new conversation, which no other unit knows. A unique index allows a pair only one direct chat;
// separate chats are counted, so those of one human are created one after another.
const locks: LockRule<Input<'startChat'>> = ({ caller, input }) =>
  input.new === true ? [joining, account(caller.key)] : [joining];

export default unitThen(
  'startChat',
  { locks },
  (call, { username, usernames = [], title = '', new: isNew = false, visibility, posting }) => {
    if (username === undefined) {
      if (call.caller.role === 'guest') throw forbidden('guests are in the groups of their invite only');
      return startGroup(call, usernames, {
        title,
        isPublic: visibility === 'public',
        managersPost: posting === 'managers',
      });
    }
    return isNew ? startSeparate(call, username) : startDirect(call, username);
  },
  currentView,
);

/** Also a private agent that the caller cannot see: to begin a chat with it is 403 like with others (ACCT-12). */
async function requireAny(call: UnitCall, username: string): Promise<AccountRow> {
  const { tx, caller } = call;
  const row = await tx.get(accountByName, username);
  if (caller.role === 'guest') return requireNear(call, row);
  if (!row || row.pending === 1) throw notFound('account');
  return row;
}

/** For a guest a name that no account has is like a stranger's: it finds out nothing about other people (ENTER-5). */
async function requireNear({ tx, caller }: UnitCall, row: AccountRow | undefined): Promise<AccountRow> {
  const isOwn = row?.key === caller.key || row?.parent_key === caller.key;
  if (row && (isOwn || (await tx.get(sharedGroup, caller.key, row.key)))) return row;
  throw forbidden('guests begin chats only with people with whom they share a group');
}

/** Finds or creates the direct chat of the caller and another account, or of the caller alone (CONV-2). */
async function startDirect(call: UnitCall, username: string): Promise<number> {
  const { tx, caller } = call;
  const other = await requireAny(call, username);
  if (other.key !== caller.key) await assertMayMeet(call, other);
  const pair = pairOf(caller.key, other.key);
  const known = await tx.get(directChat, pair);
  if (known) return known.key;
  await assertMayBegin(call, other);
  const both = caller.key === other.key ? [caller] : [caller, other];
  return beginChat(call, { kind: 'direct', title: null, pair, members: both.map((one) => asMember(one, 'member')) });
}

/** Creates another direct chat of a human with an agent, or returns the newest one if it is unused (NEWCHAT-1 …). */
async function startSeparate(call: UnitCall, username: string): Promise<number> {
  const { tx, caller } = call;
  const agent = await requireAny(call, username);
  if (agent.kind !== 'agent') throw invalid('username', 'is not an agent: only agents have several chats');
  if (caller.kind === 'agent') throw forbidden('an agent cannot begin separate chats');
  await assertMayMeet(call, agent);
  await assertMayBegin(call, agent);
  const pair = pairOf(caller.key, agent.key);
  const newest = await tx.get(newestSeparateChat, pair);
  if (newest?.is_used === 0) return newest.key;
  const count = (await tx.get(countSeparateChats, pair))?.count ?? 0;
  if (count >= call.settings.separateChats)
    throw invalid('new', `would be chat ${call.settings.separateChats + 1} with this agent; delete some first`);
  const members = [caller, agent].map((one) => asMember(one, 'member'));
  return beginChat(call, { kind: 'direct', title: null, pair, isSeparate: true, members });
}

/** Creates a group that the caller owns, with humans and the caller's own agents (GROUP-1, GROUP-2). */
async function startGroup(
  call: UnitCall,
  usernames: readonly string[],
  group: Pick<NewChat, 'isPublic' | 'managersPost'> & { title: string },
): Promise<number> {
  const { caller } = call;
  assertRoom(call, new Set([caller.username, ...usernames]).size, 'usernames');
  const others = await requireAccounts(call, usernames, caller.username);
  if (caller.kind === 'agent') throw forbidden('an agent cannot create groups');
  if (others.some((row) => row.kind === 'agent' && row.parent_key !== caller.key))
    throw forbidden('only its owner can add an agent to a group');
  const willing = await withoutBlockers(call, others);
  const members = [asMember(caller, 'owner'), ...willing.map((row) => asMember(row, 'member'))];
  return beginChat(call, { kind: 'group', ...group, pair: null, members });
}

async function assertMayBegin({ tx, caller }: UnitCall, other: AccountRow): Promise<void> {
  if (isWebhook(other)) throw forbidden('a webhook takes no messages');
  if (isService(other)) throw forbidden('the account of the service itself takes no messages');
  const self = await tx.get(accountByKey, caller.key);
  const may = self && mayBeginDirectChat(asParty(self), asParty(other));
  if (may === false) throw forbidden('only its owner can begin a chat with this agent');
  if (may || (await tx.get(sharedChat, caller.key, other.key))) return;
  throw forbidden(
    caller.kind === 'agent'
      ? 'an agent can begin chats only with its owner and with accounts that share a conversation with it'
      : 'this agent is not public, and you share no conversation with it',
  );
}

const asParty = (row: AccountRow): Party => ({
  key: row.key,
  kind: row.kind,
  parentKey: row.parent_key,
  visibility: visibilityOf(row),
});
