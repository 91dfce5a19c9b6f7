import { type Statement, statement } from './sql.ts';

/** Whether a secret is the owner's, for everyone, or an override that an account has set only for itself. */
export type SecretLayer = 'owner' | 'override';

interface SecretRow {
  field: string;
  sealed: string;
  tail: string;
  /** The origin that a provider's key is for; null for the provider's own, and for secrets of bots. */
  origin: string | null;
}
export interface StoredSecret {
  agent_key: number;
  account_key: number;
  field: string;
  sealed: string;
  origin: string | null;
}

type Place = [agent: number, account: number, field: string];

interface SecretStatements {
  put: Statement<never, [...Place, sealed: string, tail: string, origin: string | null]>;
  remove: Statement<never, Place>;
  removeOfAgent: Statement<never, [agent: number]>;
  of: Statement<SecretRow, [agent: number, account: number]>;
  /** A page of all secrets, after a primary key. */
  after: Statement<StoredSecret, [...Place, limit: number]>;
  /** Changes nothing if the value is no longer `former`. */
  reseal: Statement<never, [...Place, former: string, sealed: string]>;
}

const secretsIn = (table: 'agent_secrets' | 'override_secrets'): SecretStatements => ({
  put: statement(
    `INSERT INTO ${table} (agent_key, account_key, field, sealed, tail, origin) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (agent_key, account_key, field)
     DO UPDATE SET sealed = excluded.sealed, tail = excluded.tail, origin = excluded.origin`,
  ),
  remove: statement(`DELETE FROM ${table} WHERE agent_key = $1 AND account_key = $2 AND field = $3`),
  removeOfAgent: statement(`DELETE FROM ${table} WHERE agent_key = $1`),
  of: statement(`SELECT field, sealed, tail, origin FROM ${table} WHERE agent_key = $1 AND account_key = $2`),
  after: statement(
    `SELECT agent_key, account_key, field, sealed, origin FROM ${table} WHERE (agent_key, account_key, field) > ($1, $2, $3)
     ORDER BY agent_key, account_key, field LIMIT $4`,
  ),
  reseal: statement(
    `UPDATE ${table} SET sealed = $5 WHERE agent_key = $1 AND account_key = $2 AND field = $3 AND sealed = $4`,
  ),
});

export const secretsOf: Readonly<Record<SecretLayer, SecretStatements>> = {
  owner: secretsIn('agent_secrets'),
  override: secretsIn('override_secrets'),
};

/** Whether an account has overridden a secret of an agent for itself. */
export const hasOwnSecret = statement<{ found: number }, Place>(
  'SELECT 1 AS found FROM override_secrets WHERE agent_key = $1 AND account_key = $2 AND field = $3',
);
/** Whether the owner has set a secret. */
export const hasSecret = statement<{ found: number }, Place>(
  'SELECT 1 AS found FROM agent_secrets WHERE agent_key = $1 AND account_key = $2 AND field = $3',
);
