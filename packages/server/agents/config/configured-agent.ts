import type { Input } from '@parley/protocol';
import type { Caller } from '../../access/call.ts';
import { forbidden, invalid, notFound } from '../../core/errors.ts';
import { accountByName, type AccountRow, isWebhook } from '../../store/accounts.ts';
import { sharedChat } from '../../store/chats.ts';
import { accountNamed } from '../../access/known-agents.ts';
import { botOf } from '../../store/sessions.ts';
import type { Awaitable, Sql } from '../../store/sql.ts';
import { assertOwner } from '../own-bot.ts';

/** `caller` is null without a token, which the transports allow only for open operations. */
interface Access {
  tx: Sql;
  caller: Caller | null;
}

type Find = (viewer: { tx: Sql; caller: Caller }, username: string) => Awaitable<AccountRow | undefined>;

/** Any agent, also a private one that the caller cannot see; for a guest only those that it sees (ENTER-5). */
const anyNamed: Find = (viewer, username) =>
  viewer.caller.role === 'guest' ? accountNamed(viewer, username) : viewer.tx.get(accountByName, username);

async function requireAgent(
  { tx, caller }: Access,
  username: string,
  find: Find = accountNamed,
): Promise<{ agent: AccountRow; caller: Caller }> {
  if (!caller) throw forbidden('settings are for those who are signed in');
  const agent = await find({ tx, caller }, username);
  if (!agent) throw notFound('agent');
  if (agent.kind !== 'agent' || isWebhook(agent)) throw invalid('username', 'is not an agent');
  return { agent, caller };
}

/**
 * An agent that the caller owns, is, or shares a conversation with. Other callers get 403, also for a public agent and
 * for a private one (BOTCONF-1).
 */
export async function requireSharedAgent(access: Access, username: string): Promise<AccountRow> {
  const { agent, caller } = await requireAgent(access, username, anyNamed);
  const isOwn = agent.parent_key === caller.key || agent.key === caller.key;
  if (!isOwn && !(await access.tx.get(sharedChat, caller.key, agent.key)))
    throw forbidden('you share no conversation with this agent');
  return agent;
}

/** Like `requireSharedAgent`, for getAgent: everyone may see a public agent too (CUSTOM-5). */
export async function requireVisibleAgent(access: Access, username: string): Promise<AccountRow> {
  const { agent } = await requireAgent(access, username);
  return agent.is_public === 1 ? agent : requireSharedAgent(access, username);
}

/** Like `requireSharedAgent`, for the caller's own override. Only people have overrides: only people are askers. */
export async function requireOverridableAgent(
  access: Access,
  username: string,
): Promise<{ agent: AccountRow; user: Caller }> {
  const agent = await requireSharedAgent(access, username);
  if (access.caller?.kind !== 'human') throw forbidden('only people have settings of their own');
  return { agent, user: access.caller };
}

/** The caller's own agent: a provider agent or a bot (BOTCONF-8). */
export async function requireOwnedAgent(
  access: Access,
  username: string,
): Promise<{ agent: AccountRow; owner: Caller }> {
  const { agent, caller } = await requireAgent(access, username);
  await assertOwner({ tx: access.tx, caller }, agent);
  return { agent, owner: caller };
}

/** What setBotConfig may set of an agent: its owner everything, a bot only `handles_actions` of itself (BOTCONF-20). */
export async function requireSettableAgent(
  access: Access,
  { username, handles_actions, ...others }: Omit<Input<'setBotConfig'>, 'secrets'>,
): Promise<{ agent: AccountRow; ownerKey: number }> {
  const { agent, caller } = await requireAgent(access, username);
  const isModest = handles_actions !== undefined && Object.values(others).every((value) => value === undefined);
  if (agent.key !== caller.key || !isModest) await assertOwner({ tx: access.tx, caller }, agent);
  if (handles_actions !== undefined && !(await access.tx.get(botOf, agent.key)))
    throw invalid('handles_actions', 'is a setting of bots');
  return { agent, ownerKey: agent.parent_key ?? agent.key };
}
