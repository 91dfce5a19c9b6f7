import type { SeenTo } from '../commits/effects.ts';
import type { Sql } from '../store/sql.ts';
import { isClosed, type ShownBadge, shownIn, type ShownPush } from '../store/shown-pushes.ts';

/** Maximum records kept while the store fails; the oldest are dropped. */
const MAX_UNSTORED = 50_000;

/** What devices show (PUSH-22): recent pushes that are not stored yet take precedence over stored ones. */
export class Shown {
  readonly #read: Sql;
  readonly #pushes = new Map<string, ShownPush>();
  readonly #badges = new Map<number, ShownBadge>();
  /** Devices with a push in flight, and whether its badge has become out of date. */
  readonly #underWay = new Map<number, { isOld: boolean }>();

  constructor(read: Sql) {
    this.#read = read;
  }

  get isStored(): boolean {
    return this.#pushes.size === 0 && this.#badges.size === 0;
  }

  /** The message that a device shows of a conversation; null for none. */
  async messageOf(tokenKey: number, chatKey: number): Promise<number | null> {
    const key = keyOf({ tokenKey, chatKey });
    const before = this.#pushes.get(key);
    if (before) return before.messageKey;
    const stored = await this.#read.get(shownIn, tokenKey, chatKey);
    const meanwhile = this.#pushes.get(key);
    return meanwhile ? meanwhile.messageKey : (stored?.message_key ?? null);
  }

  /** The last badge sent to a device, if it is not stored yet. */
  badgeOf(tokenKey: number): number | undefined {
    return this.#badges.get(tokenKey)?.badge;
  }

  note(push: ShownPush): void {
    put(this.#pushes, keyOf(push), push);
  }

  noteBadge(badge: ShownBadge): void {
    put(this.#badges, badge.tokenKey, badge);
  }

  /** Records the start of a push to a device, which has none in flight. */
  begin(tokenKey: number): void {
    this.#underWay.set(tokenKey, { isOld: false });
  }

  /** Whether a push is in flight whose badge has become out of date. */
  isOld(tokenKey: number): boolean {
    return this.#underWay.get(tokenKey)?.isOld === true;
  }

  /** Records the end of a push. Returns whether its badge has become out of date. */
  end(tokenKey: number): boolean {
    const isOld = this.isOld(tokenKey);
    this.#underWay.delete(tokenKey);
    return isOld;
  }

  /** Forgets notifications that were closed on some devices; on the others the badge is out of date. */
  seenTo({ chatKey, closed, tokenKeys, otherKeys }: SeenTo): void {
    for (const tokenKey of tokenKeys) {
      const noted = this.#pushes.get(keyOf({ tokenKey, chatKey }));
      if (!noted || noted.messageKey === null || !isClosed(closed, noted.messageKey)) continue;
      this.note({ ...noted, messageKey: null });
    }
    for (const tokenKey of otherKeys) {
      const noted = this.#badges.get(tokenKey);
      if (noted) this.noteBadge({ ...noted, isOld: true });
    }
    // A push in flight arrives later and brings an old badge, even to the devices that closed the notification.
    for (const tokenKey of [...tokenKeys, ...otherKeys]) {
      const underWay = this.#underWay.get(tokenKey);
      if (underWay) underWay.isOld = true;
    }
  }

  /** Up to `most` records that are not stored, oldest first. */
  unstored(most: number): { shown: ShownPush[]; badges: ShownBadge[] } {
    const shown = [...this.#pushes.values().take(most)];
    return { shown, badges: [...this.#badges.values().take(most - shown.length)] };
  }

  /** Removes stored records, except those replaced since. */
  stored({ shown, badges }: { shown: readonly ShownPush[]; badges: readonly ShownBadge[] }): void {
    for (const push of shown) if (this.#pushes.get(keyOf(push)) === push) this.#pushes.delete(keyOf(push));
    for (const badge of badges) if (this.#badges.get(badge.tokenKey) === badge) this.#badges.delete(badge.tokenKey);
  }
}

const keyOf = ({ tokenKey, chatKey }: Pick<ShownPush, 'tokenKey' | 'chatKey'>): string => `${tokenKey}:${chatKey}`;

/** Puts an entry last, so that the map is ordered from oldest to newest. */
function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_UNSTORED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
