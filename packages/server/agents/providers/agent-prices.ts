import { limits } from '@parley/protocol';
import { z } from 'zod';
import { ConfigError } from '../../core/config-error.ts';
import type { Rate } from '../../rules/prices.ts';

const NAME = 'AGENT_PRICES';
/** Maximum price of a million tokens. With the most tokens that a reply may report, its price is exact (PRICE-2). */
const MOST = 1_000_000;
const DECIMALS = 6;

/** Read into millionths, so that no sum is of fractions. */
const perMillion = z
  .number()
  .min(0, `must be from 0 to ${MOST}`)
  .max(MOST, `must be from 0 to ${MOST}`)
  .refine((price) => Number(price.toFixed(DECIMALS)) === price, `has more than ${DECIMALS} decimals`)
  .transform((price) => Math.round(price * 10 ** DECIMALS));

const list = z.strictObject({
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be three capital letters, such as USD'),
  models: z.record(
    z.string().min(1, 'must have a name').max(limits.settingBytes),
    z.strictObject({ input: perMillion, output: perMillion, image: perMillion.optional() }),
  ),
});

/** The price of each model, by its name (CONFIG-25). */
export function readAgentPrices(value: (name: string) => string | undefined): ReadonlyMap<string, Rate> {
  const given = value(NAME);
  if (given === undefined) return new Map();
  const parsed = list.safeParse(parse(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(' → ') || 'it';
    throw wrong(`${place}: ${issue?.message ?? 'is not valid'}`);
  }
  const { currency, models } = parsed.data;
  return new Map(Object.entries(models).map(([model, rate]) => [model, { currency, ...rate }]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('it is not JSON');
  }
}

const wrong = (problem: string): ConfigError =>
  new ConfigError(
    `${NAME} must be like {"currency":"USD","models":{"gpt-5.1":{"input":1.25,"output":10}}}, with prices of a million tokens; ${problem}`,
  );
