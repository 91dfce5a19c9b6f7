import type { OpenStream } from '../commits/effects.ts';
import type { PublishedEvent } from '../log/event-log.ts';
import { chatScope, eventKinds, type Scope } from '../core/event-kinds.ts';

/** A snapshot of an open reply, from the read of its rows until it has its number in the log. */
export interface PendingSnapshot {
  readonly of: Pick<OpenStream, 'chatKey' | 'messageId'>;
  /** True if an event that the snapshot may lack was published after its rows were read. */
  isOutdated: boolean;
}

/**
 * All snapshots that are being rendered or wait for their numbers. A client that got an event and then a snapshot
 * rendered before it would lose that event's change (STREAM-20).
 */
export class PendingSnapshots {
  readonly #pending = new Set<PendingSnapshot>();

  /** Must be called before the rows are read. */
  begin(of: PendingSnapshot['of']): PendingSnapshot {
    const snapshot = { of, isOutdated: false };
    this.#pending.add(snapshot);
    return snapshot;
  }

  /** Called when the snapshot has its number or is dropped. Returns true if it must be rendered again. */
  end(snapshot: PendingSnapshot): boolean {
    this.#pending.delete(snapshot);
    return snapshot.isOutdated;
  }

  /** Forgets the snapshots of a reply that has ended. */
  drop(messageId: string): void {
    for (const one of this.#pending) if (one.of.messageId === messageId) this.#pending.delete(one);
  }

  /**
   * Marks the snapshots that a published event concerns: it names their message, or changes an account in their chat.
   */
  published({ scope, kind, params }: Pick<PublishedEvent, 'scope' | 'kind' | 'params'>): void {
    // Transient events (code 0) only concern the text, which the snapshot gets from memory.
    if (this.#pending.size === 0 || eventKinds[kind].code === 0) return;
    for (const one of this.#pending)
      if (chatScope(one.of.chatKey) === scope)
        one.isOutdated ||= kind === 'accountUpdated' || params.includes(one.of.messageId);
  }

  /** Called when events of this scope were committed that this node does not publish. */
  skipped(scope: Scope): void {
    for (const one of this.#pending) if (chatScope(one.of.chatKey) === scope) one.isOutdated = true;
  }
}
