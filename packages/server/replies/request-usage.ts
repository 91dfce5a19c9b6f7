import type { Price, TokenUsage } from '@parley/protocol';
import { priceOf, type Rate } from '../rules/prices.ts';

/** Usual number of bytes per token of the vendors' models, for English text. */
export const BYTES_PER_TOKEN = 4;

/** What the running request for a reply uses: as its provider reports it, or as its length suggests. */
export class RequestUsage {
  #reported: TokenUsage | null = null;
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

  report(usage: TokenUsage): void {
    this.#reported = usage;
  }

  /** The reported usage is booked. */
  book(): void {
    this.#reported = null;
  }

  /** The request is over, and another one may follow. */
  end(): void {
    this.#reported = null;
    this.#askedBytes = 0;
  }

  /** Tokens that the request has used if it has also written this much, estimated from the lengths (KEY-15). */
  estimate(writtenBytes: number): number {
    return this.#askedBytes === 0 ? 0 : Math.ceil((this.#askedBytes + writtenBytes) / BYTES_PER_TOKEN);
  }
}
