import { cleanApiKey } from '../agents/api-key.ts';
import { type HouseProvider, type HouseTerms, MAX_DAILY_TOKENS } from '../agents/house.ts';
import { ConfigError } from '../core/config-error.ts';
import { ServiceError } from '../core/errors.ts';

/** The house's agent as the environment sets it (HOUSE-2). */
export interface HouseConfig {
  terms: HouseTerms;
  apiKey: string;
}

const providers: readonly HouseProvider[] = ['provider_a', 'provider_b'];
/** Tokens per UTC day of each person, and of all people together, if the operator names no numbers. */
export const DEFAULT_DAILY_TOKENS = 100_000;
export const DEFAULT_DAILY_TOKENS_OF_ALL = 2_000_000;

const others = ['HOUSE_AGENT_KEY', 'HOUSE_AGENT_MODEL', 'HOUSE_AGENT_DAILY_TOKENS', 'HOUSE_AGENT_DAILY_TOKENS_ALL'];

/** Null without HOUSE_AGENT. Errors do not quote the key (CONFIG-7). */
export function readHouse(
  value: (name: string) => string | undefined,
  wholeNumber: (name: string, fallback: number, most: number) => number,
): HouseConfig | null {
  const given = value('HOUSE_AGENT');
  if (given === undefined) {
    const alone = others.find((name) => value(name) !== undefined);
    if (alone !== undefined) throw new ConfigError(`${alone} is set without HOUSE_AGENT`);
    return null;
  }
  const provider = providers.find((known) => known === given);
  if (provider === undefined)
    throw new ConfigError(`HOUSE_AGENT must be one of ${providers.join(', ')}, not "${given}"`);
  const dailyTokens = wholeNumber('HOUSE_AGENT_DAILY_TOKENS', DEFAULT_DAILY_TOKENS, MAX_DAILY_TOKENS);
  const fallback = Math.max(dailyTokens, DEFAULT_DAILY_TOKENS_OF_ALL);
  const dailyTokensOfAll = wholeNumber('HOUSE_AGENT_DAILY_TOKENS_ALL', fallback, MAX_DAILY_TOKENS);
  if (dailyTokensOfAll < dailyTokens)
    throw new ConfigError('HOUSE_AGENT_DAILY_TOKENS_ALL must not be less than HOUSE_AGENT_DAILY_TOKENS');
  return {
    terms: { provider, model: value('HOUSE_AGENT_MODEL') ?? null, dailyTokens, dailyTokensOfAll },
    apiKey: keyIn(value('HOUSE_AGENT_KEY')),
  };
}

function keyIn(given: string | undefined): string {
  let key: string;
  try {
    key = cleanApiKey(given ?? '', 'HOUSE_AGENT_KEY');
  } catch (error) {
    if (error instanceof ServiceError) throw new ConfigError('HOUSE_AGENT_KEY has control characters');
    throw error;
  }
  if (key === '') throw new ConfigError('HOUSE_AGENT is set without HOUSE_AGENT_KEY');
  return key;
}
