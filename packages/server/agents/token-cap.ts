import type { Refusal } from './turns.ts';

/** What an agent answers that may use no more tokens in this month; the cap itself is its owner's affair (USAGE-12). */
export function atTokenCap({ displayName }: { displayName: string }): Refusal {
  const text = `${displayName} has used all the tokens that its owner lets it use in a month. It answers again when the next month begins (UTC), or when its owner raises the limit.`;
  return { text, end: { status: 'failed', finishReason: 'token_cap', alert: text } };
}
