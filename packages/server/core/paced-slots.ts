/** Minimum speed of work that keeps its slot while others wait for one. */
export const UNHURRIED_BYTES_PER_S = 64 * 1024;
/** Time over which the speed is measured. Younger work counts as fast. */
const WINDOW_MS = 5_000;

interface Options {
  /** Maximum slots of one owner, and of all together. */
  perOwner: number;
  inAll: number;
  monotonic: () => number;
}

/**
 * Slots for work whose length a client decides, by the speed at which it sends or reads. When all are taken, a newcomer
 * gets that of the slowest work of the owner that holds most, if the newcomer's owner then still holds no more than
 * that owner; otherwise that of the slowest work below `UNHURRIED_BYTES_PER_S`. So no one holds them all by being slow
 * (FILE-31, EXPORT-4).
 */
export class PacedSlots {
  readonly #options: Options;
  readonly #byOwner = new Map<number, Set<PacedSlot>>();
  #count = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Number of slots that are taken. */
  get count(): number {
    return this.#count;
  }

  /** Takes a slot; `own` if its owner has all that one owner may have, `full` if no slot is free or may be taken away. */
  take(owner: number): PacedSlot | 'own' | 'full' {
    const { perOwner, inAll, monotonic } = this.#options;
    const own = this.#byOwner.get(owner)?.size ?? 0;
    if (own >= perOwner) return 'own';
    if (this.#count >= inAll && !this.#takeAway(own)) return 'full';
    const slot = new PacedSlot(monotonic, (left) => this.#leave(owner, left));
    const all = this.#byOwner.get(owner) ?? new Set();
    this.#byOwner.set(owner, all.add(slot));
    this.#count += 1;
    return slot;
  }

  /** Frees a slot for an owner that holds `own` of them. Returns false if none may be taken away. */
  #takeAway(own: number): boolean {
    const found = [...this.#byOwner.values()]
      .flatMap((slots) => {
        const slowest = slowestOf(slots);
        return slowest ? [{ held: slots.size, slowest, bytesPerS: slowest.bytesPerS }] : [];
      })
      .toSorted((one, other) => other.held - one.held || (one.bytesPerS < other.bytesPerS ? -1 : 1))
      .find(({ held, bytesPerS }) => held > own + 1 || bytesPerS < UNHURRIED_BYTES_PER_S);
    found?.slowest.end();
    return found !== undefined;
  }

  #leave(owner: number, slot: PacedSlot): void {
    const all = this.#byOwner.get(owner);
    if (!all?.delete(slot)) return;
    this.#count -= 1;
    if (all.size === 0) this.#byOwner.delete(owner);
  }
}

function slowestOf(slots: Iterable<PacedSlot>): PacedSlot | undefined {
  let slowest: PacedSlot | undefined;
  for (const slot of slots) if (slot.mayEnd && (!slowest || slot.bytesPerS < slowest.bytesPerS)) slowest = slot;
  return slowest;
}

/** One slot, and the speed of the work in it. */
export class PacedSlot {
  readonly #monotonic: () => number;
  readonly #onLeave: (slot: PacedSlot) => void;
  #giveUp: (() => void) | null = null;
  #windowAt: number;
  #bytes = 0;
  /** Of the last complete window; at first, work counts as fast. */
  #lastBytesPerS = Number.POSITIVE_INFINITY;

  constructor(monotonic: () => number, onLeave: (slot: PacedSlot) => void) {
    this.#monotonic = monotonic;
    this.#onLeave = onLeave;
    this.#windowAt = monotonic();
  }

  /** Whether the slot may be taken away: only while a client decides how long the work takes. */
  get mayEnd(): boolean {
    return this.#giveUp !== null;
  }

  get bytesPerS(): number {
    this.#turn();
    return this.#lastBytesPerS;
  }

  /** From now on the slot may be taken away: `giveUp` then ends the work. Null: it may not be any more. */
  set giveUp(giveUp: (() => void) | null) {
    this.#giveUp = giveUp;
  }

  /** Notes bytes that the client has sent or read. */
  note(bytes: number): void {
    this.#turn();
    this.#bytes += bytes;
  }

  /** Frees the slot; again, it does nothing. */
  leave(): void {
    this.#giveUp = null;
    this.#onLeave(this);
  }

  /** Takes the slot away. */
  end(): void {
    const giveUp = this.#giveUp;
    this.leave();
    giveUp?.();
  }

  #turn(): void {
    const elapsedMs = this.#monotonic() - this.#windowAt;
    if (elapsedMs < WINDOW_MS) return;
    this.#lastBytesPerS = (this.#bytes * 1_000) / elapsedMs;
    this.#bytes = 0;
    this.#windowAt += elapsedMs;
  }
}
