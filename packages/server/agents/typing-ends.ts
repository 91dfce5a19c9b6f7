import type { Clock } from '../core/clock.ts';
import type { PublishedEvent, StoredEvent } from '../log/event-log.ts';
import type { Scope } from '../core/event-kinds.ts';

/** How long the end of typing can be replayed (LOG-19). */
const KEPT_MS = 10 * 60_000;

/** Maximum number of events that a node hands on to a node that has just started. */
const MAX_HANDED_ON = 10_000;

/** The newest typing event of one account in one timeline. */
export interface PublishedTyping {
  readonly key: string;
  readonly scope: Scope;
  /** The account that types, which receives none of its own typing. */
  readonly accountKey: number;
  readonly seq: number;
  readonly at: number;
  readonly params: string;
  readonly isTyping: boolean;
}

/** The params as `TypingIndicators` publishes them. */
interface Params {
  channel_id: string | null;
  thread_root_id: string | null;
  is_typing: boolean;
}

/**
 * Whose typing ended where, in the last ten minutes, whichever node published it. A client that was disconnected gets
 * these ends from a replay, so it shows nobody as typing for ever.
 */
export class TypingEnds {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** The oldest first. */
  readonly #byKey = new Map<string, PublishedTyping>();
  readonly #byScope = new Map<Scope, Map<string, PublishedTyping>>();
  #newest = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Called with each event of the log as it is published. */
  published({ kind, scope, params, seq, except }: PublishedEvent): void {
    if (kind !== 'typing') return;
    const { channel_id, thread_root_id, is_typing: isTyping } = JSON.parse(params) as Params;
    const key = `${scope}/${except}/${channel_id ?? ''}/${thread_root_id ?? ''}`;
    const at = this.#clock.monotonic();
    this.#keep({ key, scope, accountKey: except, seq, at, params, isTyping });
    this.#forgetOld(at - KEPT_MS);
  }

  /** What a node that has just started learns from this one. */
  handOn(): readonly PublishedTyping[] {
    return [...this.#byKey.values()].slice(-MAX_HANDED_ON);
  }

  /** Adds what another node has handed on, unless this node has heard something newer. */
  learn(known: readonly PublishedTyping[]): void {
    // The clocks of two nodes have nothing in common.
    const at = this.#clock.monotonic();
    for (const typing of known) if (typing.seq > (this.#byKey.get(typing.key)?.seq ?? 0)) this.#keep({ ...typing, at });
  }

  /** The ends of others' typing with numbers above `after`, up to `through`; `ref` is the account that typed. */
  within(scopes: ReadonlySet<Scope>, accountKey: number, after: number, through: number): StoredEvent[] {
    if (this.#newest <= after) return [];
    const ends: StoredEvent[] = [];
    for (const scope of scopes)
      for (const { seq, params, isTyping, accountKey: by } of this.#byScope.get(scope)?.values() ?? [])
        if (!isTyping && by !== accountKey && seq > after && seq <= through)
          ends.push({ seq, scope, kind: 'typing', ref: by, params, createdAt: 0 });
    return ends;
  }

  #keep(typing: PublishedTyping): void {
    const { key, scope, seq } = typing;
    this.#byKey.delete(key);
    this.#byKey.set(key, typing);
    const ofScope = this.#byScope.get(scope);
    if (ofScope) ofScope.set(key, typing);
    else this.#byScope.set(scope, new Map([[key, typing]]));
    this.#newest = Math.max(this.#newest, seq);
  }

  #forgetOld(before: number): void {
    for (const { key, scope, at } of this.#byKey.values()) {
      if (at >= before) return;
      this.#byKey.delete(key);
      const ofScope = this.#byScope.get(scope);
      ofScope?.delete(key);
      if (ofScope?.size === 0) this.#byScope.delete(scope);
    }
  }
}
