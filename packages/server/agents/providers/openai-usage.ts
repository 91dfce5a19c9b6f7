import { isObject } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';
import { countIn } from './reported-usage.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The usage in a chunk, or undefined: in the chunk itself, or where Groq (`x_groq`) and Moonshot (the choice) put it. The
 * output is everything that is billed beside the input: some vendors leave thoughts out of `completion_tokens`, but not out
 * of `total_tokens` (USAGE-2).
 */
export function openaiUsage(data: Fields, choice: Fields): ProviderEvent | undefined {
  const { x_groq: groq } = data;
  for (const usage of [data['usage'], isObject(groq) ? groq['usage'] : undefined, choice['usage']]) {
    const counts = isObject(usage) ? countsIn(usage) : undefined;
    if (counts) return { type: 'usage', ...counts };
  }
  return undefined;
}

function countsIn(usage: Fields): { inputTokens: number; outputTokens: number } | undefined {
  const inputTokens = countIn(usage['prompt_tokens']) ?? countIn(usage['input_tokens']);
  if (inputTokens === undefined) return undefined;
  const written = countIn(usage['completion_tokens']) ?? countIn(usage['output_tokens']);
  const total = countIn(usage['total_tokens']);
  const beside = total === undefined ? undefined : Math.max(0, total - inputTokens);
  if (written === undefined && beside === undefined) return undefined;
  return { inputTokens, outputTokens: Math.max(written ?? 0, beside ?? 0) };
}
