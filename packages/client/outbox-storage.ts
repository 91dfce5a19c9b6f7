import { type KeyValueStorage, keysOf } from './environment.ts';
import type { ChangeEntry, OutboxEntry, OutboxItem } from './outbox.ts';

/** The storage key of an account: two 32-bit FNV-1a hashes, so that it does not reveal the token. */
export function scopeOf(text: string): string {
  const hash = (seed: number): string => {
    let value = seed;
    for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
    return value.toString(36);
  };
  return hash(0x811c9dc5) + hash(0x2f0b4c47);
}

/** Stores each entry under its own key, so that tabs that share a storage do not overwrite each other. */
export class OutboxStorage {
  readonly #storage: KeyValueStorage;
  readonly #prefix: string;

  constructor(storage: KeyValueStorage, scope: string) {
    this.#storage = storage;
    this.#prefix = `parley:outbox:${scope}:`;
  }

  async load(): Promise<OutboxItem[]> {
    const keys = (await keysOf(this.#storage)).filter((key) => key.startsWith(this.#prefix));
    const entries: OutboxItem[] = [];
    for (const key of keys) {
      const entry = read(await this.#storage.getItem(key));
      if (entry) entries.push(entry);
    }
    return entries.toSorted((a, b) => a.at - b.at);
  }

  async save(entry: OutboxItem): Promise<void> {
    await this.#storage.setItem(this.#prefix + entry.client_msg_id, JSON.stringify(entry));
  }

  async remove(clientMsgId: string): Promise<void> {
    await this.#storage.removeItem(this.#prefix + clientMsgId);
  }

  async has(clientMsgId: string): Promise<boolean> {
    return (await this.#storage.getItem(this.#prefix + clientMsgId)) !== null;
  }
}

/**
 * Validates an entry, because a storage may contain anything. One that was being sent when the page closed waits again.
 */
function read(text: string | null): OutboxItem | undefined {
  try {
    const entry = JSON.parse(text ?? '') as Partial<OutboxEntry & Omit<ChangeEntry, 'state'>>;
    const { client_msg_id, params, at, state, change, chat_id } = entry;
    if (typeof client_msg_id !== 'string' || typeof at !== 'number') return undefined;
    if (typeof chat_id === 'string' && typeof change?.name === 'string' && typeof change.params === 'object')
      return { client_msg_id, chat_id, change, at, state: 'waiting', ...(entry.isTried && { isTried: true }) };
    if (typeof params?.chat_id !== 'string') return undefined;
    return { ...entry, client_msg_id, params, at, state: state === 'failed' ? 'failed' : 'waiting' };
  } catch {
    return undefined;
  }
}
