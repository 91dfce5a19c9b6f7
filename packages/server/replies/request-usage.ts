import type { Price, TokenUsage } from '@parley/protocol';
import { priceOf, type Rate } from '../rules/prices.ts';

/** Usual number of bytes per token of the vendors' models, for English text. */
export const BYTES_PER_TOKEN = 4;

/** What the running request for a reply uses: as its provider reports it, or as its length suggests. */
export class RequestUsage {
  #reported: TokenUsage | null = null;
  /** What the earlier requests of the same turn have used (CALL-1). */
  #earlier: TokenUsage | null = null;
  /** The price of the model that the request asks; null if none is known. */
  #rate: Rate | null = null;
  /** Bytes sent to the provider; 0 until there is a request. */
  #askedBytes = 0;

  get reported(): TokenUsage | null {
    return this.#reported;
  }

  /** What the reported usage costs (PRICE-2). */
  get price(): Price | undefined {
    return this.#reported && this.#rate ? priceOf(this.#rate, this.#reported) : undefined;
  }

  setRate(rate: Rate | null): void {
    this.#rate = rate;
  }

  /** A request of this size is sent. */
  ask(bytes: number): void {
    this.#askedBytes = bytes;
  }

  /** The provider has sent text that is not written into the reply. */
  receive(bytes: number): void {
    this.#askedBytes += bytes;
  }

  report({ input_tokens, output_tokens }: TokenUsage): void {
    const { input_tokens: input, output_tokens: output } = this.#earlier ?? { input_tokens: 0, output_tokens: 0 };
    this.#reported = { input_tokens: input + input_tokens, output_tokens: output + output_tokens };
  }

  /** Another request of the turn is sent: what it uses is added. */
  askAgain(bytes: number): void {
    this.#earlier = this.#reported;
    this.#askedBytes += bytes;
  }

  /** The reported usage is booked. */
  book(): void {
    this.#reported = null;
    this.#earlier = null;
  }

  /** The request is over, and another one may follow. */
  end(): void {
    this.#reported = null;
    this.#earlier = null;
    this.#askedBytes = 0;
  }

  /** Tokens that the request has used if it has also written this much, estimated from the lengths (KEY-15). */
  estimate(writtenBytes: number): number {
    return this.#askedBytes === 0 ? 0 : Math.ceil((this.#askedBytes + writtenBytes) / BYTES_PER_TOKEN);
  }
}
