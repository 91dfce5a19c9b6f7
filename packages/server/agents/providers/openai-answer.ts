import { isObject, listIn, textIn } from '../../rules/json-values.ts';
import { OpenaiCalls } from './openai-calls.ts';
import type { OpenaiStep } from './openai-steps.ts';
import {
  ProviderError,
  type EndReason,
  type ProviderEvent,
  type ProviderStep,
  type ToolDefinition,
} from './provider.ts';
import { idsIn } from './step-blocks.ts';
import { CallIds, callName, endOfCalls, sentInput } from './tool-calls.ts';
import { isShallow } from './tool-input.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Maximum characters of an answer that is sent back. */
const MAX_CHARS = 8 * 1024 * 1024;
/** Where servers put what the model thinks; some want it back with the calls that follow. */
const thoughtFields = ['reasoning_content', 'reasoning'] as const;

/** An answer to a request with tools, in the form of the Chat Completions API in which it is sent back. */
export class OpenaiAnswer {
  readonly calls: OpenaiCalls;
  readonly #ids: CallIds;
  readonly #from: string;
  readonly #content: string[] = [];
  readonly #thoughts = new Map<string, string[]>();
  readonly #details: Record<string, unknown>[] = [];
  #chars = 0;

  constructor(tools: readonly ToolDefinition[], steps: readonly ProviderStep[], from: string) {
    this.calls = new OpenaiCalls(new Set(tools.map(({ name }) => name)));
    this.#ids = new CallIds(idsIn(steps));
    this.#from = from;
  }

  /** A piece of the text, thoughts in tags included. */
  content(text: string): void {
    this.#count(text.length);
    this.#content.push(text);
  }

  read(delta: Fields): void {
    for (const field of thoughtFields) {
      const text = textIn(delta[field]);
      if (text === '') continue;
      this.#count(text.length);
      const pieces = this.#thoughts.get(field) ?? [];
      pieces.push(text);
      this.#thoughts.set(field, pieces);
    }
    for (const detail of listIn(delta['reasoning_details']))
      if (isObject(detail) && isShallow(detail)) this.#detail(detail);
  }

  /** The events before the end. */
  *end(reason: EndReason): Generator<ProviderEvent> {
    const calls = this.calls.whole.map(({ id, name, input, extras }) => ({
      id: this.#ids.of(id),
      name: callName(name),
      input,
      extras,
    }));
    const step = (): OpenaiStep => ({
      protocol: 'chat',
      from: this.#from,
      message: {
        role: 'assistant',
        content: this.#content.join('').toWellFormed(),
        ...Object.fromEntries([...this.#thoughts].map(([field, pieces]) => [field, pieces.join('')])),
        ...(this.#details.length > 0 && { reasoning_details: this.#details }),
        tool_calls: calls.map(({ id, name, input, extras }) => ({
          ...extras,
          id,
          type: 'function',
          function: { name, arguments: input.object() ? input.text : JSON.stringify(sentInput(input)) },
        })),
      },
    });
    // There is no answer of this protocol that the vendor would continue.
    if (calls.length > 0) yield* endOfCalls(calls, reason, step);
  }

  /** Details of one kind that follow one another are pieces of one. */
  #detail(detail: Fields): void {
    this.#count(JSON.stringify(detail).length);
    const last = this.#details.at(-1);
    if (!last || last['type'] !== detail['type'] || last['index'] !== detail['index'] || isWhole(last, detail)) {
      this.#details.push({ ...detail });
      return;
    }
    for (const [field, value] of Object.entries(detail)) {
      if (value === null || value === undefined) continue;
      const isPiece = ['text', 'summary', 'data'].includes(field) && typeof value === 'string';
      last[field] = isPiece ? textIn(last[field]) + value : value;
    }
  }

  #count(chars: number): void {
    this.#chars += chars;
    if (this.#chars > MAX_CHARS)
      throw new ProviderError('protocol', 'The provider’s answer is too long to be continued.');
  }
}

/** Each has an id of its own. */
const isWhole = (last: Fields, { id }: Fields): boolean =>
  textIn(last['id']) !== '' && textIn(id) !== '' && last['id'] !== id;
