import type { Input } from '@parley/protocol';
import { type OwnerConfigRow, putKeyTerms } from '../../store/bot-config.ts';
import type { Sql } from '../../store/sql.ts';

type KeyTerms = Pick<Input<'setBotConfig'>, 'pays_for' | 'allowed_models' | 'asker_daily_tokens'>;

/** Stores who may use the owner's key, and the limits; fields that are not given stay unchanged (KEY-14). */
export async function storeKeyTerms(
  tx: Sql,
  agentKey: number,
  { pays_for, allowed_models, asker_daily_tokens }: KeyTerms,
  stored: OwnerConfigRow | undefined,
): Promise<void> {
  if (pays_for === undefined && allowed_models === undefined && asker_daily_tokens === undefined) return;
  const models = allowed_models ? JSON.stringify([...new Set(allowed_models)]) : (stored?.allowed_models ?? null);
  const daily = asker_daily_tokens === undefined ? (stored?.asker_daily_tokens ?? null) : asker_daily_tokens;
  await tx.run(putKeyTerms, agentKey, pays_for ?? stored?.pays_for ?? null, models, daily);
}
