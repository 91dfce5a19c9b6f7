import type { EndReason, ProviderEvent, ToolResult } from './provider.ts';
import type { ToolInput } from './tool-input.ts';

/** A call of a tool that the client should run, as it was read from a stream. */
export interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly input: ToolInput;
}

/** Maximum calls of one answer; those after them are left out. */
export const MAX_CALLS = 100;
const MAX_ID_CHARS = 256;
const MAX_NAME_CHARS = 64;

/** A name in the form that both vendors take back: a model may write anything. */
export const callName = (name: string): string => name.slice(0, MAX_NAME_CHARS).replaceAll(/[^\w-]/g, '_');

/** Gives each call of a request an id of its own. Some servers send none, or the same ones in each answer. */
export class CallIds {
  readonly #used: Set<string>;
  #last: number;

  /** `used`: the ids of the steps before. */
  constructor(used: Iterable<string>) {
    this.#used = new Set(used);
    this.#last = this.#used.size;
  }

  of(given: string): string {
    let id = given;
    // Nine letters and digits, as Mistral wants them.
    while (id === '' || id.length > MAX_ID_CHARS || this.#used.has(id))
      id = `call${String(this.#last++).padStart(5, '0')}`;
    this.#used.add(id);
    return id;
  }
}

/**
 * The last events of an answer. If text followed calls of unknown tools and the answer is whole, its server has run them
 * itself: they are shown (PROVIDER-28). Otherwise the client is asked to run them.
 */
export function* endOfCalls(
  calls: readonly ReadCall[],
  reason: EndReason,
  blocks: () => unknown,
): Generator<ProviderEvent> {
  if (reason === 'paused' && calls.length === 0) yield { type: 'step', blocks: blocks() };
  if (calls.length === 0) return;
  if (reason === 'stop' || reason === 'unconfirmed') {
    for (const { id, name, input } of calls)
      yield { type: 'tool', key: id, name, input: input.value() ?? {}, status: 'running' };
    return;
  }
  for (const { id, name, input } of calls)
    yield { type: 'call', id, name, arguments: input.text, ...(input.isTooLong && { isTooLong: true }) };
  yield { type: 'step', blocks: blocks() };
}

/** The arguments that are sent back: vendors and chat templates take an object alone. */
export const sentInput = (input: ToolInput): object => input.object() ?? { INVALID_JSON: cut(input.text) };

const cut = (text: string): string => (text.length > 1_000 ? `${text.slice(0, 1_000).toWellFormed()}…` : text);

/** What a call returned; vendors refuse a call without a result, and an empty one. */
export function resultOf(results: readonly ToolResult[], id: string): Omit<ToolResult, 'id'> {
  const { text, isError } = results.find((result) => result.id === id) ?? {
    text: 'There is no result.',
    isError: true,
  };
  return { text: text.trim() === '' ? '(no output)' : text.toWellFormed(), isError };
}
