import type { Price, TokenUsage } from '@parley/protocol';

/** What the tokens of a model cost: millionths of a unit of the currency per million tokens. */
export interface Rate {
  readonly currency: string;
  readonly input: number;
  readonly output: number;
  /** Of one picture, whatever tokens it takes: millionths of a unit of the currency. */
  readonly image?: number | undefined;
}

const TOKENS_PER_RATE = 1_000_000n;

/** The price of a request, rounded once to whole millionths (PRICE-2). Exact: the products exceed 2^53. */
export function priceOf({ currency, input, output }: Rate, { input_tokens, output_tokens }: TokenUsage): Price {
  const exact = BigInt(input) * BigInt(input_tokens) + BigInt(output) * BigInt(output_tokens);
  return { currency, micros: Number((exact + TOKENS_PER_RATE / 2n) / TOKENS_PER_RATE) };
}
