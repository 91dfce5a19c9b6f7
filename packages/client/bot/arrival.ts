import type { Client } from '../client.ts';
import type { ConnectionState } from '../connection-states.ts';
import { HOW_TO_HAVE_A_TOKEN, HOW_TO_RENEW_A_TOKEN } from './setup.ts';
import { StartError } from './start-error.ts';
import { whyNoConnection } from './why-no-connection.ts';

interface ArrivalParts {
  client: Client;
  log: (line: string) => void;
  /** Called when the service revokes the token while the bot runs. */
  onRefused: () => void;
}

/** Waits until a bot is connected, and logs problems on the way. */
export class Arrival {
  readonly #parts: ArrivalParts;
  readonly #unsubscribe: () => void;
  #isStopping = false;
  #hasConnected = false;
  #hasAsked = false;
  #hasSaidSo = false;

  constructor(parts: ArrivalParts) {
    this.#parts = parts;
    this.#unsubscribe = parts.client.onState((state) => this.#note(state));
  }

  /** True once the client is live, false if the bot is stopped first; rejects if the service refuses the token. */
  async connected(): Promise<boolean> {
    const { client } = this.#parts;
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (client.state === 'live' || this.#isOver) resolve();
        else if (client.state === 'closed')
          reject(new StartError(`${client.url} refuses the token: ${HOW_TO_RENEW_A_TOKEN}`));
        else return;
        unsubscribe();
      };
      const unsubscribe = client.onState(look);
      look();
    });
    if (this.#isOver) return this.#hasConnected;
    if (client.account?.kind !== 'agent') throw new StartError(`the token belongs to a person: ${HOW_TO_HAVE_A_TOKEN}`);
    return true;
  }

  /** The bot was stopped, or its program closed the connection. */
  get #isOver(): boolean {
    return this.#isStopping || this.#parts.client.closeReason === 'closed';
  }

  /** Stops logging. */
  stop(): void {
    this.#isStopping = true;
    this.#unsubscribe();
  }

  #note(state: ConnectionState): void {
    const { client, log, onRefused } = this.#parts;
    if (state === 'live' && !this.#hasConnected) {
      this.#hasConnected = true;
      if (this.#hasSaidSo) log(`connected to ${client.url}`);
    }
    if (state === 'closed' && this.#hasConnected && !this.#isOver) {
      log(`${client.url} has revoked the token of ${client.account?.username}: ${HOW_TO_RENEW_A_TOKEN}`);
      onRefused();
    }
    if (state === 'waiting') void this.#askWhy();
  }

  /**
   * Finds out why the bot cannot connect and logs it, only once: a bot that waits for its service must not fill the
   * log.
   */
  async #askWhy(): Promise<void> {
    const { client, log } = this.#parts;
    if (this.#hasConnected || this.#hasAsked) return;
    this.#hasAsked = true;
    const why = await whyNoConnection(client);
    if (why === null || this.#hasConnected || this.#isOver) return;
    this.#hasSaidSo = true;
    log(`${client.url} ${why}; trying again`);
  }
}
