import { isObject, textIn } from '../../rules/json-values.ts';
import { AnthropicBlocks } from './anthropic-blocks.ts';
import { type AnthropicStep, containerIn, pausedContent } from './anthropic-steps.ts';
import type { EndReason, ProviderEvent, ProviderStep, ToolDefinition } from './provider.ts';
import { idsIn } from './step-blocks.ts';
import { CallIds, endOfCalls } from './tool-calls.ts';

/** An answer to a request with tools: what it calls, and the blocks to send back. */
export class AnthropicAnswer extends AnthropicBlocks {
  readonly #offered: ReadonlySet<string>;
  /** What a paused answer has said, which this one continues. */
  readonly begun: readonly object[];
  readonly #from: string;
  #container: string;

  constructor(tools: readonly ToolDefinition[], steps: readonly ProviderStep[], from: string) {
    super(new CallIds(idsIn(steps)));
    this.#offered = new Set(tools.map(({ name }) => name));
    this.begun = pausedContent(steps);
    this.#container = containerIn(steps);
    this.#from = from;
  }

  /** Whether the client offers tools; otherwise only the vendor does. */
  get hasOffer(): boolean {
    return this.#offered.size > 0;
  }

  offers(name: string): boolean {
    return this.#offered.has(name);
  }

  /** What a message says of its container. */
  message({ container }: Readonly<Record<string, unknown>>): void {
    if (isObject(container)) this.#container = textIn(container['id']) || this.#container;
  }

  /** The events before the end. */
  *end(reason: EndReason): Generator<ProviderEvent> {
    yield* endOfCalls(this.hasOffer ? this.calls : [], reason, (): AnthropicStep => ({
      protocol: 'messages',
      from: this.#from,
      content: [...this.begun, ...this.content()],
      ...(this.#container !== '' && { container: this.#container }),
    }));
  }
}
