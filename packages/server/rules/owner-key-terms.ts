import { limits, type PaysFor, paysFor, thinking } from '@parley/protocol';
import { fileLimits } from './context-files.ts';
import { MAX_OWN_BYTES } from './continued-replies.ts';
import { contextLimits } from './conversation-context.ts';
import type { Values } from './run-config.ts';
import { summaryLimits } from './summaries.ts';

/** The terms on which other people use the owner's key of an agent (KEY-10 … KEY-12). */
export interface OwnerKeyTerms {
  paysFor: PaysFor;
  allowedModels: readonly string[];
  askerDailyTokens: number;
}

/** Maximum tokens per asker and UTC day, if the owner has set no number. */
export const DEFAULT_ASKER_DAILY_TOKENS = 200_000;
/** Maximum `max_output_tokens` of an asker on the owner's key, if the owner has set no limit. */
export const DEFAULT_OUTPUT_TOKENS = 4_096;

/** Maximum UTF-8 bytes of one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
/**
 * Lower bound of bytes per token: a division by it may give too many tokens, never too few. English has 4, Chinese 3.
 */
const BYTES_PER_TOKEN = 3;
/** Tokens per message beside its text: the role, and the sender's name as a field. */
const TOKENS_BESIDE_MESSAGE = 100;
/** Bytes of the service's own texts in a request beside messages: instructions, notes and fences. */
const BYTES_OF_FRAME = 3_000;
const tokensOf = (bytes: number, messages: number): number =>
  Math.ceil(bytes / BYTES_PER_TOKEN) + messages * TOKENS_BESIDE_MESSAGE;

/** Maximum tokens of a request for a summary, input and output together. */
const SUMMARY_REQUEST_TOKENS = tokensOf(summaryLimits.requestBytes + BYTES_OF_FRAME, 1) + summaryLimits.outputTokens;
/** Maximum tokens of the text that a continued reply sends again. */
const CONTINUED_TOKENS = tokensOf(MAX_OWN_BYTES + BYTES_OF_FRAME, 2);
/**
 * Maximum tokens of a reply beside its own output: the longest context with a summary, its files, the longest system
 * prompt, which an asker may set, and either a request for a summary or the text of a continued reply, which makes none
 * (SUMMARY-12).
 */
const MAX_INPUT_TOKENS =
  fileLimits.guestTokens +
  tokensOf(
    (contextLimits.maxCharacters + summaryLimits.characters) * BYTES_PER_UNIT + limits.settingTextBytes,
    contextLimits.maxMessages + 1,
  ) +
  Math.max(SUMMARY_REQUEST_TOKENS, CONTINUED_TOKENS);

/** Estimated maximum of tokens, input and output together, that a reply on the owner's key uses. */
export const mostTokensOfReply = (ownerLimit: string | undefined): number =>
  MAX_INPUT_TOKENS + (ownerLimit === undefined ? DEFAULT_OUTPUT_TOKENS : Number(ownerLimit));

/**
 * Whether a turn waits until an earlier turn of the same asker has ended: while the earlier turns together could use up
 * the day's tokens, only one of them runs at a time (KEY-12).
 */
export const mustWait = (ahead: number, used: number, cap: number, mostEach: number): boolean =>
  ahead > 0 && used + ahead * mostEach >= cap;

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
 * model, `max_output_tokens` and `thinking` only up to the owner's, all other values. Otherwise the owner's value applies.
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
  return bounded;
}

/** How much is thought with these values, from 0; -1 for a value that does not exist, which counts as none anyway. */
const effortOf = (values: Values): number => thinking.options.findIndex((one) => one === (values['thinking'] ?? 'off'));
