import { limits, type PaysFor, paysFor } from '@parley/protocol';
import { contextLimits } from './conversation-context.ts';
import type { Values } from './run-config.ts';

/** On what terms somebody else may use the owner's key of an agent (KEY-10 … KEY-12). */
export interface OwnerKeyTerms {
  paysFor: PaysFor;
  allowedModels: readonly string[];
  askerDailyTokens: number;
}

/** Tokens per asker and UTC day where the owner has set no number. */
export const DEFAULT_ASKER_DAILY_TOKENS = 200_000;
/** Maximum `max_output_tokens` of an asker on the owner's key, where the owner has set no limit. */
export const DEFAULT_OUTPUT_TOKENS = 4_096;

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/** Models have more bytes to a token in every written language, about 4 in English and 3 in Chinese. */
const BYTES_PER_TOKEN = 3;
/** Room for what a request holds beside the text of each message: the role, the sender's name as a field. */
const TOKENS_BESIDE_MESSAGE = 100;
/** Tokens of the longest context together with the longest system prompt, which an asker may set. */
const MOST_TOKENS_IN =
  Math.ceil((contextLimits.maxCharacters * BYTES_PER_UNIT + limits.settingTextBytes) / BYTES_PER_TOKEN) +
  contextLimits.maxMessages * TOKENS_BESIDE_MESSAGE;

/** How many tokens a reply on the owner's key is expected to use at most, in and out together. */
export const mostTokensOfReply = (ownerLimit: string | undefined): number =>
  MOST_TOKENS_IN + (ownerLimit === undefined ? DEFAULT_OUTPUT_TOKENS : Number(ownerLimit));

/**
 * Whether a turn has to wait until an earlier one of the same asker has ended: as long as those could use up the day's
 * tokens together, only one of them goes on at a time (KEY-12).
 */
export const mustWait = (ahead: number, used: number, cap: number, mostEach: number): boolean =>
  ahead > 0 && used + ahead * mostEach >= cap;

/** As they are stored: null where the owner has set nothing, a list as JSON. */
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
 * What counts of an asker's override when the owner's key pays (KEY-11): `model` only if the owner allows that model,
 * `max_output_tokens` only up to the owner's limit, everything else as it is. For what does not count, the owner's
 * value holds.
 */
export function boundedOverride(
  own: Values,
  { allowedModels }: Pick<OwnerKeyTerms, 'allowedModels'>,
  ownerLimit: string | undefined,
): Values {
  const bounded = { ...own };
  if (!allowedModels.includes(own['model'] ?? '')) delete bounded['model'];
  const most = ownerLimit === undefined ? DEFAULT_OUTPUT_TOKENS : Number(ownerLimit);
  if (!(Number(own['max_output_tokens']) <= most)) delete bounded['max_output_tokens'];
  return bounded;
}
