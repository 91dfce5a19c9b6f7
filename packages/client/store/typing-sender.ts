import type { Client, TimelineKey } from '../client.ts';
import type { Clock } from '../environment.ts';
import { fullKey, placeOf, timelineId } from './timeline-id.ts';

/** How often typing is sent while the user types. */
const TYPING_MS = 3_000;

/** Tells the service where the user types. */
export class TypingSender {
  readonly #client: Client;
  readonly #clock: Clock;
  /** When typing was last sent, by timeline. */
  readonly #sentAt = new Map<string, number>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  set(key: TimelineKey, isTyping: boolean): void {
    const id = timelineId(key);
    const now = this.#clock.monotonic();
    if (isTyping && now - (this.#sentAt.get(id) ?? -Infinity) < TYPING_MS) return;
    if (!isTyping && !this.#sentAt.has(id)) return;
    if (!isTyping) this.#sentAt.delete(id);
    if (this.#client.state !== 'live') return;
    if (isTyping) this.#sentAt.set(id, now);
    this.#client
      .call('sendChatAction', { ...placeOf(fullKey(key)), action: isTyping ? 'typing' : 'cancel' })
      .catch(() => {});
  }

  /** The service ends what a lost connection was typing, so the next key tells it again. */
  forget(): void {
    this.#sentAt.clear();
  }
}
