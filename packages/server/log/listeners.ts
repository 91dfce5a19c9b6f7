import { eventClass } from '../core/event-kinds.ts';

/** Number of subscriptions per conversation that receive patches and activity, which are generated only if one does. */
export class Listeners {
  readonly #counts = new Map<number, { patch: number; activity: number }>();

  count(chatKey: number, classes: number, change: 1 | -1): void {
    if ((classes & (eventClass.patch | eventClass.activity)) === 0) return;
    const counts = this.#counts.get(chatKey) ?? { patch: 0, activity: 0 };
    if (classes & eventClass.patch) counts.patch += change;
    if (classes & eventClass.activity) counts.activity += change;
    if (counts.patch + counts.activity > 0) this.#counts.set(chatKey, counts);
    else this.#counts.delete(chatKey);
  }

  has(chatKey: number, wanted: number): boolean {
    const counts = this.#counts.get(chatKey);
    return counts !== undefined && (wanted === eventClass.patch ? counts.patch : counts.activity) > 0;
  }
}
