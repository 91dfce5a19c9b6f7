// Which agents an account can see, and which private ones are hidden from it (ACCT-12).
import { notFound } from '../core/errors.ts';
import { accountByName, type AccountRow } from '../store/accounts.ts';
import { sharedChat, sharingWith } from '../store/chats.ts';
import type { Sql } from '../store/sql.ts';

/** The account that asks. */
interface Viewer {
  tx: Sql;
  caller: { key: number };
}

type Agent = Pick<AccountRow, 'key' | 'kind' | 'parent_key' | 'is_public' | 'is_private'>;

const isOwn = ({ key, parent_key }: Agent, viewer: number): boolean => key === viewer || parent_key === viewer;

/** Whether the caller can see an agent: it owns it, is it, or shares a conversation with it, or the agent is public. */
export async function canSee({ tx, caller }: Viewer, agent: Agent): Promise<boolean> {
  if (agent.kind === 'human' || agent.is_public === 1 || isOwn(agent, caller.key)) return true;
  // By the agent's conversations: usually it has the fewer.
  return (await tx.get(sharedChat, agent.key, caller.key)) !== undefined;
}

/** The account with this username; undefined for a private agent that the caller cannot see, as for an unknown name. */
export async function accountNamed(viewer: Viewer, username: string): Promise<AccountRow | undefined> {
  const row = await viewer.tx.get(accountByName, username);
  return row && (row.is_private === 0 || (await canSee(viewer, row))) ? row : undefined;
}

export async function requireAccount(viewer: Viewer, username: string): Promise<AccountRow> {
  const row = await accountNamed(viewer, username);
  if (!row) throw notFound('account');
  return row;
}

/** Without private agents that the caller cannot see. */
export async function knownOf<Row extends Agent>({ tx, caller }: Viewer, rows: readonly Row[]): Promise<Row[]> {
  const isAsked = (row: Row) => row.is_private === 1 && !isOwn(row, caller.key);
  const asked = rows.filter(isAsked).map(({ key }) => key);
  const sharing = asked.length === 0 ? [] : await tx.list(sharingWith, asked, caller.key);
  const seen = new Set(sharing.map(({ account_key: key }) => key));
  return rows.filter((row) => !isAsked(row) || seen.has(row.key));
}
