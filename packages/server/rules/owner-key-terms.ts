import { type PaysFor, paysFor, thinking } from '@parley/protocol';
import type { Values } from './run-config.ts';

/** The terms on which other people use the owner's key of an agent (KEY-10 … KEY-12). */
interface OwnerKeyTerms {
  paysFor: PaysFor;
  allowedModels: readonly string[];
  askerDailyTokens: number;
}

/** Maximum tokens per asker and UTC day, if the owner has set no number. */
export const DEFAULT_ASKER_DAILY_TOKENS = 200_000;
/** Maximum `max_output_tokens` of an asker on the owner's key, if the owner has set no limit. */
export const DEFAULT_OUTPUT_TOKENS = 4_096;

/** The stored terms: null where the owner has set nothing, a list as JSON. */
interface StoredTerms {
  pays_for: PaysFor | null;
  allowed_models: string | null;
  asker_daily_tokens: number | null;
}

export const termsOf = (row: StoredTerms | undefined): OwnerKeyTerms => ({
  paysFor: row?.pays_for ?? paysFor.enum.groups,
  allowedModels: row?.allowed_models ? JSON.parse(row.allowed_models) : [],
  askerDailyTokens: row?.asker_daily_tokens ?? DEFAULT_ASKER_DAILY_TOKENS,
});

/**
 * The part of an asker's override that counts when the owner's key pays (KEY-11): `model` only if the owner allows that
 * model, `max_output_tokens` and `thinking` only up to the owner's, `web_search` only if the owner's is on, all
 * other values. Otherwise the owner's value applies.
 */
export function boundedOverride(
  own: Values,
  { allowedModels }: Pick<OwnerKeyTerms, 'allowedModels'>,
  owners: Values,
): Values {
  const ownerLimit = owners['max_output_tokens'];
  const bounded = { ...own };
  if (!allowedModels.includes(own['model'] ?? '')) delete bounded['model'];
  const most = ownerLimit === undefined ? DEFAULT_OUTPUT_TOKENS : Number(ownerLimit);
  if (!(Number(own['max_output_tokens']) <= most)) delete bounded['max_output_tokens'];
  if (!(effortOf(own) <= effortOf(owners))) delete bounded['thinking'];
  if (owners['web_search'] !== 'true') delete bounded['web_search'];
  return bounded;
}

/** How much is thought with these values, from 0; -1 for a value that does not exist, which counts as none anyway. */
const effortOf = (values: Values): number => thinking.options.findIndex((one) => one === (values['thinking'] ?? 'off'));
