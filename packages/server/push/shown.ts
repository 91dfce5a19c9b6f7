import type { SeenTo } from '../commits/effects.ts';
import type { Sql } from '../store/sql.ts';
import { isClosed, type ShownBadge, shownIn, type ShownPush } from '../store/shown-pushes.ts';

/** Of what cannot be stored, the newest. */
const MAX_UNSTORED = 50_000;

/** What devices show: what has been sent of late, and is not stored yet, before what is (PUSH-22). */
export class Shown {
  readonly #read: Sql;
  readonly #pushes = new Map<string, ShownPush>();
  readonly #badges = new Map<number, ShownBadge>();
  /** Devices with a push under way, and whether its badge is another one meanwhile. */
  readonly #underWay = new Map<number, { isOld: boolean }>();

  constructor(read: Sql) {
    this.#read = read;
  }

  get isStored(): boolean {
    return this.#pushes.size === 0 && this.#badges.size === 0;
  }

  /** The message that a device shows of a conversation; null for nothing. */
  async messageOf(tokenKey: number, chatKey: number): Promise<number | null> {
    const key = keyOf({ tokenKey, chatKey });
    const before = this.#pushes.get(key);
    if (before) return before.messageKey;
    const stored = await this.#read.get(shownIn, tokenKey, chatKey);
    const meanwhile = this.#pushes.get(key);
    return meanwhile ? meanwhile.messageKey : (stored?.message_key ?? null);
  }

  /** What its badge was told last, where that is not stored yet. */
  badgeOf(tokenKey: number): number | undefined {
    return this.#badges.get(tokenKey)?.badge;
  }

  note(push: ShownPush): void {
    put(this.#pushes, keyOf(push), push);
  }

  noteBadge(badge: ShownBadge): void {
    put(this.#badges, badge.tokenKey, badge);
  }

  /** A push goes to a device, of which none is under way. */
  begin(tokenKey: number): void {
    this.#underWay.set(tokenKey, { isOld: false });
  }

  /** True while one is under way whose badge is another one meanwhile. */
  isOld(tokenKey: number): boolean {
    return this.#underWay.get(tokenKey)?.isOld === true;
  }

  /** It has ended. Answers whether its badge is another one meanwhile. */
  end(tokenKey: number): boolean {
    const isOld = this.isOld(tokenKey);
    this.#underWay.delete(tokenKey);
    return isOld;
  }

  /** What was closed on some devices is shown no more there; on the others the badge is another one. */
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
    // Those too that saw to it: what is under way comes behind that.
    for (const tokenKey of [...tokenKeys, ...otherKeys]) {
      const underWay = this.#underWay.get(tokenKey);
      if (underWay) underWay.isOld = true;
    }
  }

  /** Some of what is to be stored, the oldest. */
  unstored(most: number): { shown: ShownPush[]; badges: ShownBadge[] } {
    const shown = [...this.#pushes.values().take(most)];
    return { shown, badges: [...this.#badges.values().take(most - shown.length)] };
  }

  /** They are stored, unless something newer has come meanwhile. */
  stored({ shown, badges }: { shown: readonly ShownPush[]; badges: readonly ShownBadge[] }): void {
    for (const push of shown) if (this.#pushes.get(keyOf(push)) === push) this.#pushes.delete(keyOf(push));
    for (const badge of badges) if (this.#badges.get(badge.tokenKey) === badge) this.#badges.delete(badge.tokenKey);
  }
}

const keyOf = ({ tokenKey, chatKey }: Pick<ShownPush, 'tokenKey' | 'chatKey'>): string => `${tokenKey}:${chatKey}`;

/** The newest are last. */
function put<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_UNSTORED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
