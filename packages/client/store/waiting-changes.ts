import type { Actor } from '@parley/protocol';
import type { Client } from '../client.ts';
import { type ChangeEntry, idsOf } from '../outbox.ts';
import { type MessageTable, withoutReaction, withReaction } from './message-table.ts';
import type { StoredMessage } from './store.ts';
import type { Windows } from './windows.ts';

interface Parts {
  client: Client;
  messages: MessageTable;
  windows: Windows;
}

/**
 * Shows the changes of the outbox as if they were made. What the store holds stays as the service has it, so a change
 * that is refused is taken back by showing that again.
 */
export class WaitingChanges {
  readonly #parts: Parts;
  /** Changes by the name of their message: its id, or its client_msg_id while it is in the outbox. */
  #byMessage = new Map<string, ChangeEntry[]>();
  /** What is shown of messages with changes: `renew` makes another object when these change. */
  readonly #shown = new WeakMap<StoredMessage, StoredMessage>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Shows the changes that the outbox now holds. */
  update(): void {
    const { client, messages, windows } = this.#parts;
    const before = this.#byMessage;
    this.#byMessage = new Map();
    for (const entry of client.outbox.changes.get()) {
      if (entry.change.name === 'markRead') continue;
      for (const id of idsOf(entry.change)) this.#byMessage.set(id, [...(this.#byMessage.get(id) ?? []), entry]);
    }
    for (const id of new Set([...before.keys(), ...this.#byMessage.keys()])) {
      // An entry that is being sent is another object, but shows the same.
      const [was, now] = [before.get(id), this.#byMessage.get(id)].map((all) =>
        JSON.stringify(all?.map((one) => one.change)),
      );
      const message = was === now ? undefined : messages.get(id);
      if (!message) continue;
      messages.family.renew(message.key, { ...message });
      windows.refresh(message);
    }
  }

  /** The changes to a message that wait. */
  #of(message: StoredMessage): readonly ChangeEntry[] | undefined {
    return this.#byMessage.size === 0 ? undefined : this.#byMessage.get(message.outbox?.client_msg_id ?? message.id);
  }

  /** Whether a message is being deleted. */
  isDeleted(message: StoredMessage): boolean {
    return this.#of(message)?.some(({ change }) => change.name === 'deleteMessages') === true;
  }

  show(message: StoredMessage): StoredMessage | undefined {
    const changes = this.#of(message);
    if (!changes) return message;
    if (this.isDeleted(message)) return undefined;
    const known = this.#shown.get(message);
    if (known) return known;
    const me = this.#parts.client.account;
    let shown: StoredMessage = { ...message, is_waiting: true };
    for (const { change } of changes) {
      if (change.name === 'editMessage') shown = { ...shown, content: change.params.text };
      if (change.name !== 'setMessageReaction' || !me) continue;
      const reactor: Actor = { username: me.username, kind: me.kind, display_name: me.display_name };
      const { emoji, remove } = change.params;
      shown = remove ? withoutReaction(shown, emoji, reactor) : withReaction(shown, emoji, reactor);
    }
    this.#shown.set(message, shown);
    return shown;
  }
}
