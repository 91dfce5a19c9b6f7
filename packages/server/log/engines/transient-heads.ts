import { eventClass, eventKinds, type EventKindName, type Scope } from '../../core/event-kinds.ts';
import type { ScopeHead } from '../event-log.ts';

export const noHead: Readonly<ScopeHead> = {
  base: 0,
  draft: 0,
  delta: 0,
  typing: 0,
  patch: 0,
  activity: 0,
  ext: 0,
  part: 0,
};

/** The field of a head for each class of events that a replay can contain. */
export const headPlaces: readonly (readonly [named: number, place: keyof ScopeHead])[] = [
  [eventClass.base, 'base'],
  [eventClass.draft, 'draft'],
  [eventClass.delta, 'delta'],
  [eventClass.typing, 'typing'],
  [eventClass.patch, 'patch'],
  [eventClass.activity, 'activity'],
  [eventClass.ext, 'ext'],
  [eventClass.part, 'part'],
];

/** Raises each field of `head` that is lower than the same field of `other`. */
export function raiseTo(head: ScopeHead, other: Readonly<ScopeHead>): void {
  for (const [, place] of headPlaces) head[place] = Math.max(head[place], other[place]);
}

/**
 * The newest numbers of transient events, by scope. A stored event that every socket receives makes older ones
 * irrelevant.
 */
export class TransientHeads {
  readonly #heads = new Map<Scope, ScopeHead>();
  /**
   * Transient events up to this number are unknown here (from before the start, or lost): they count for every scope.
   */
  #floor: number;

  constructor(floor: number) {
    this.#floor = floor;
  }

  /** Transient events up to `through` were lost and may concern any scope. */
  lost(through: number): void {
    this.#floor = Math.max(this.#floor, through);
    this.#heads.clear();
  }

  transient(scope: Scope, kind: EventKindName, seq: number, standsFor = 0): void {
    const classes = eventKinds[kind].class | standsFor;
    let head = this.#heads.get(scope);
    for (const [named, place] of headPlaces) {
      if ((classes & named) === 0) continue;
      if (!head) this.#heads.set(scope, (head = { ...noHead }));
      head[place] = seq;
    }
  }

  stored(scope: Scope, kind: EventKindName): void {
    if (eventKinds[kind].class === eventClass.base) this.#heads.delete(scope);
  }

  raise(head: ScopeHead, scope: Scope): void {
    const known = this.#heads.get(scope);
    if (known) raiseTo(head, known);
    for (const place of ['delta', 'typing', 'patch', 'activity', 'part'] as const)
      head[place] = Math.max(head[place], this.#floor);
  }
}
