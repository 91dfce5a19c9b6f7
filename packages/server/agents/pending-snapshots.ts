import type { OpenStream } from '../commits/effects.ts';
import type { PublishedEvent } from '../log/event-log.ts';
import { chatScope, eventKinds, type Scope } from '../core/event-kinds.ts';

/** A snapshot of an open reply between the read of its rows and its place among the frames. */
export interface PendingSnapshot {
  readonly of: Pick<OpenStream, 'chatKey' | 'messageId'>;
  /** Something was published meanwhile that it may lack. */
  isOutdated: boolean;
}

/**
 * All snapshots that are being made, or wait for their numbers: whoever has one behind an event that it lacks would lose
 * what that told (STREAM-20).
 */
export class PendingSnapshots {
  readonly #pending = new Set<PendingSnapshot>();

  /** To be called before the rows are read. */
  begin(of: PendingSnapshot['of']): PendingSnapshot {
    const snapshot = { of, isOutdated: false };
    this.#pending.add(snapshot);
    return snapshot;
  }

  /** It has its place, or comes to nothing. True when it is to be made anew. */
  end(snapshot: PendingSnapshot): boolean {
    this.#pending.delete(snapshot);
    return snapshot.isOutdated;
  }

  /** Of a reply that has ended nothing more is shown. */
  drop(messageId: string): void {
    for (const one of this.#pending) if (one.of.messageId === messageId) this.#pending.delete(one);
  }

  /** What tells of a message names it; how somebody looks is told by the name of the account alone. */
  published({ scope, kind, params }: Pick<PublishedEvent, 'scope' | 'kind' | 'params'>): void {
    // What is in no table is about the text, which the snapshot has been given.
    if (this.#pending.size === 0 || eventKinds[kind].code === 0) return;
    for (const one of this.#pending)
      if (chatScope(one.of.chatKey) === scope)
        one.isOutdated ||= kind === 'accountUpdated' || params.includes(one.of.messageId);
  }

  /** Something happened there that is not told here. */
  skipped(scope: Scope): void {
    for (const one of this.#pending) if (chatScope(one.of.chatKey) === scope) one.isOutdated = true;
  }
}
