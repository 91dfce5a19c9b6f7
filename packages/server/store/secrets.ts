import { statement } from './sql.ts';

export const putSecret = statement<
  never,
  [agent: number, account: number, field: string, sealed: string, tail: string]
>(
  `INSERT INTO agent_secrets (agent_key, account_key, field, sealed, tail) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (agent_key, account_key, field) DO UPDATE SET sealed = excluded.sealed, tail = excluded.tail`,
);
export const removeSecret = statement<never, [agent: number, account: number, field: string]>(
  'DELETE FROM agent_secrets WHERE agent_key = $1 AND account_key = $2 AND field = $3',
);
export const secretOf = statement<{ sealed: string; tail: string }, [agent: number, account: number, field: string]>(
  'SELECT sealed, tail FROM agent_secrets WHERE agent_key = $1 AND account_key = $2 AND field = $3',
);
export const removeSecretsOfAgent = statement<never, [agent: number]>('DELETE FROM agent_secrets WHERE agent_key = $1');
