// Which accounts a caller can see: private agents are hidden from most, and from guests all strangers (ACCT-12, ENTER-5).
import type { AccountRole } from '@parley/protocol';
import { notFound } from '../core/errors.ts';
import { accountByName, type AccountRow } from '../store/accounts.ts';
import { sharedChat, sharingWith } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';

/** The account that asks. */
interface Viewer {
  tx: Sql;
  caller: { key: number; role: AccountRole };
}

type Agent = Pick<AccountRow, 'key' | 'kind' | 'parent_key' | 'is_public' | 'is_private'>;

const isOwn = ({ key, parent_key }: Agent, viewer: number): boolean => key === viewer || parent_key === viewer;

/** Whether an account is hidden from the caller unless they share a conversation. */
const isHidden = (row: Agent, { key, role }: Viewer['caller']): boolean =>
  (row.is_private === 1 || role === 'guest') && !isOwn(row, key);

/**
 * Whether the caller can see an account: a person, an agent that it owns, that it is, or with which it shares a conversation,
 * or a public agent. A guest sees only its own agents and those with whom it shares a conversation.
 */
export async function canSee({ tx, caller }: Viewer, agent: Agent): Promise<boolean> {
  if (isOwn(agent, caller.key)) return true;
  if (caller.role !== 'guest' && (agent.kind === 'human' || agent.is_public === 1)) return true;
  // By the agent's conversations: usually it has the fewer.
  return (await tx.get(sharedChat, agent.key, caller.key)) !== undefined;
}

/** The account with this username; undefined for one that is hidden from the caller, as for an unknown name. */
export async function accountNamed(viewer: Viewer, username: string): Promise<AccountRow | undefined> {
  const row = await viewer.tx.get(accountByName, username);
  return row && (!isHidden(row, viewer.caller) || (await canSee(viewer, row))) ? row : undefined;
}

export async function requireAccount(viewer: Viewer, username: string): Promise<AccountRow> {
  const row = await accountNamed(viewer, username);
  if (!row) throw notFound('account');
  return row;
}

/** Without those that are hidden from the caller. */
export async function knownOf<Row extends Agent>({ tx, caller }: Viewer, rows: readonly Row[]): Promise<Row[]> {
  const isAsked = (row: Row) => isHidden(row, caller);
  const asked = rows.filter(isAsked).map(({ key }) => key);
  const sharing = asked.length === 0 ? [] : await tx.list(sharingWith, asked, caller.key);
  const seen = new Set(sharing.map(({ account_key: key }) => key));
  return rows.filter((row) => !isAsked(row) || seen.has(row.key));
}
