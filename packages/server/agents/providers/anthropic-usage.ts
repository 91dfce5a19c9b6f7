import { isObject } from '../../rules/json-values.ts';
import type { ProviderEvent } from './provider.ts';
import { countIn } from './reported-usage.ts';

/** The usage reported so far (USAGE-2). A later number replaces an earlier one, because all of them are totals. */
export class AnthropicUsage {
  #input: number | undefined;
  #written = 0;
  #read = 0;
  #output = 0;

  /** The totals with one more report; nothing if it is none, or if none has had input tokens yet. */
  *read(report: unknown): Generator<ProviderEvent> {
    if (!isObject(report)) return;
    this.#input = countIn(report['input_tokens']) ?? this.#input;
    this.#written = countIn(report['cache_creation_input_tokens']) ?? this.#written;
    this.#read = countIn(report['cache_read_input_tokens']) ?? this.#read;
    this.#output = countIn(report['output_tokens']) ?? this.#output;
    if (this.#input === undefined) return;
    yield { type: 'usage', inputTokens: this.#input + this.#written + this.#read, outputTokens: this.#output };
  }
}
