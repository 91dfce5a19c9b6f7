import type { Message } from '@parley/protocol';
import type { Client } from '../client.ts';
import type { Clock, Timer } from '../environment.ts';

/** No daemon is silent for so long that still writes; one that is ends its replies by itself. */
const QUIET_MS = 300_000;

/**
 * Replies that a former daemon of this bot has begun. It may be there still, beside this one; or it has died, and as
 * this one's connection keeps the lease, nobody would ever end them.
 */
export class Leftovers {
  readonly #client: Pick<Client, 'call'>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #timers = new Map<string, Timer>();

  constructor(client: Pick<Client, 'call'>, clock: Clock, onError: (error: unknown) => void) {
    this.#client = client;
    this.#clock = clock;
    this.#onError = onError;
  }

  watch({ id, content_revision }: Message): void {
    const look = (): void => void this.#look(id, content_revision).catch(this.#onError);
    this.#timers.get(id)?.cancel();
    this.#timers.set(id, this.#clock.setTimer(look, QUIET_MS));
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  async #look(id: string, revision: number): Promise<void> {
    this.#timers.delete(id);
    const { items } = await this.#client.call('getMessages', { message_ids: [id] });
    const [reply] = items;
    if (reply?.status !== 'streaming') return;
    if (reply.content_revision !== revision) return this.watch(reply);
    await this.#client.call('finishMessageStream', { message_id: id, status: 'failed' });
  }
}
