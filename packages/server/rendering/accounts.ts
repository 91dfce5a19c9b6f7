import type { Actor } from '@parley/protocol';
import { notFound } from '../core/errors.ts';
import { accountByKey, type AccountRow, accountsByKeys } from '../store/accounts.ts';
import type { Sql } from '../store/sql.ts';
import { AccountTexts, type RenderSource } from './account-texts.ts';

/** The columns from which the wire Account is made. */
export type AccountRecordRow = Pick<
  AccountRow,
  | 'username'
  | 'kind'
  | 'display_name'
  | 'parent_username'
  | 'agent_provider'
  | 'avatar_url'
  | 'bio'
  | 'deleted_at'
  | 'created_at'
>;

/** `agent_provider` of bots on the wire; their rows have null. */
export const BOT_PROVIDER = 'bot';

/** The wire Account of a row. */
export const accountRecord = (row: AccountRecordRow) => ({
  username: row.username,
  kind: row.kind,
  display_name: row.display_name,
  parent_username: row.parent_username ?? undefined,
  agent_provider: row.agent_provider ?? (row.kind === 'agent' ? BOT_PROVIDER : undefined),
  avatar_url: row.avatar_url ?? undefined,
  bio: row.bio ?? undefined,
  ...(row.deleted_at !== null && { is_deleted: true as const }),
  created_at: new Date(row.created_at).toISOString(),
});

/** The wire Account of a row for the account itself (ROLE-11, ENTER-6). */
export const ownAccountRecord = (row: AccountRow) => ({
  ...accountRecord(row),
  ...(row.kind === 'human' && { role: row.role }),
  ...(row.pending === 1 && { pending: true as const }),
});

/** The wire Account of a key as JSON text. */
export async function accountJson({ tx, accounts }: RenderSource, key: number): Promise<string> {
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const row = await tx.get(accountByKey, key);
  if (!row) throw new Error(`no account has the key ${key}`);
  return accountJsonOf(accounts, row);
}

/**
 * The account texts for rendering a page of rows: the cache or, if it keeps none, the rows' senders, read in one query.
 * The texts are valid only as long as the rows.
 */
export async function textsOfPage(
  { tx, accounts }: RenderSource,
  rows: Iterable<{ sender_key: number; sender?: string }>,
): Promise<AccountTexts> {
  if (accounts.keeps) return accounts;
  const texts = new AccountTexts();
  const missing = new Set<number>();
  for (const row of rows) if (row.sender === undefined) missing.add(row.sender_key);
  if (missing.size > 0) for (const row of await tx.list(accountsByKeys, [...missing])) accountJsonOf(texts, row);
  return texts;
}

/** The wire Account of a row as JSON text. */
export function accountJsonOf(accounts: AccountTexts, row: AccountRow): string {
  let text = accounts.get(row.key);
  if (text === undefined) accounts.set(row.key, (text = JSON.stringify(accountRecord(row))));
  return text;
}

/** The caller as others see it at this moment: its display name may have changed since it connected. */
export async function callerActor(tx: Sql, caller: { key: number }): Promise<Actor> {
  const row = await tx.get(accountByKey, caller.key);
  if (!row) throw notFound('account');
  return actorOf(row);
}

export const actorOf = (row: { username: string; kind: 'human' | 'agent'; display_name: string }): Actor => ({
  username: row.username,
  kind: row.kind,
  display_name: row.display_name,
});
