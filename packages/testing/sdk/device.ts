import { type Client, type Clock, createClient, type KeyValueStorage } from '@parley/client';
import { createStore, type SavedStore, type Store, type Timeline } from '@parley/client/store';
import type { CapName } from '@parley/protocol';
import type { Actor } from '../world/actor.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';
import { ChaosProxy } from './chaos-proxy.ts';
import { assertFresh } from './store-comparison.ts';

/** Factor by which time runs faster for devices, so that a dead connection is detected within seconds. */
const HASTE = 15;
export const fastClock: Clock = {
  now: () => performance.now() * HASTE,
  monotonic: () => performance.now() * HASTE,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms / HASTE);
    return { cancel: () => clearTimeout(timer) };
  },
};
/** How long a device may take to catch up. */
const PATIENCE_MS = 15_000;

/** A storage that outlives a page. */
export function keptStorage(): KeyValueStorage & { values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}

/** A user's page: the SDK and its store, behind its own network. */
export class Device {
  readonly actor: Actor;
  readonly caps: readonly CapName[];
  readonly proxy: ChaosProxy;
  readonly problems: string[] = [];
  readonly open = new Map<Timeline, () => void>();
  readonly storage = keptStorage();
  client: Client;
  store: Store;
  reloads = 0;
  recoveries = 0;
  /** How often the page was opened from what it had saved. */
  reopenings = 0;

  private constructor(actor: Actor, caps: readonly CapName[], proxy: ChaosProxy) {
    this.actor = actor;
    this.caps = caps;
    this.proxy = proxy;
    [this.client, this.store] = this.#load();
  }

  static async start(actor: Actor, url: string, caps: readonly CapName[]): Promise<Device> {
    return new Device(actor, caps, await ChaosProxy.start(url));
  }

  get whose(): string {
    return `${this.actor.username}, caps "${this.caps.join(',')}"`;
  }

  watch(timeline: Timeline): void {
    if (!this.open.has(timeline))
      this.open.set(
        timeline,
        timeline.subscribe(() => {}),
      );
  }

  unwatch(timeline: Timeline | undefined): void {
    if (!timeline) return;
    this.open.get(timeline)?.();
    this.open.delete(timeline);
  }

  /** Reloads the page: the store starts empty, or from what was saved; unsent messages are in the storage. */
  reload(saved: SavedStore | null = null): void {
    this.leave();
    if (saved) this.reopenings += 1;
    // A database returns a copy.
    [this.client, this.store] = this.#load(structuredClone(saved) ?? undefined);
  }

  leave(): void {
    this.store.close();
    this.client.close();
    this.open.clear();
  }

  /** Resolves when the store shows what the service answers. */
  async caughtUp(): Promise<void> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    let problem: Error | undefined;
    while (performance.now() < giveUpAt) {
      const isQuiet =
        this.client.state === 'live' &&
        this.client.outbox.changes.get().length === 0 &&
        this.client.outbox.entries.get().every(({ state }) => state === 'failed');
      problem = isQuiet
        ? await this.#difference()
        : new Error(`${this.whose} is ${this.client.state}, or still sending`);
      if (problem === undefined) break;
      // Nothing signals that a store has caught up, so this polls.
      for (let turn = 0; turn < 20; turn += 1) await turnOfLoop();
    }
    if (this.problems.length > 0) throw new Error(this.problems.join('\n'));
    if (problem !== undefined) throw problem;
  }

  async #difference(): Promise<Error | undefined> {
    try {
      await assertFresh(this.store, [...this.open.keys()], this.actor.api, this.whose);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  #load(saved?: SavedStore): [Client, Store] {
    const client = createClient({
      url: this.proxy.url,
      token: this.actor.token,
      caps: this.caps,
      storage: this.storage,
      account: this.actor.username,
      clock: fastClock,
      ...(saved && { since: saved.position, self: saved.account }),
      onError: (error) => this.problems.push(`${this.whose}: ${error instanceof Error ? error.stack : String(error)}`),
    });
    client.on('reload', () => (this.reloads += 1));
    client.onState((state) => {
      if (state === 'live') this.recoveries += 1;
    });
    return [client, createStore(client, { pageSize: 5, maxMessages: 400, saved })];
  }
}
