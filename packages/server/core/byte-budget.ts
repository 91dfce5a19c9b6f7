import { unavailable } from './errors.ts';

interface Owner {
  bytes: number;
  readonly holders: Set<Held>;
}

/**
 * Memory shared by all owners, with a maximum per owner (LIMIT-26, LIMIT-27). When all of it is in use, the owner that
 * uses the most loses its largest piece to a newcomer, so that no owner can lock the others out.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #maxOfOwner: number;
  readonly #owners = new Map<string, Owner>();
  #usedBytes = 0;

  constructor(maxBytes: number, maxOfOwner: number) {
    this.#maxBytes = maxBytes;
    this.#maxOfOwner = maxOfOwner;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Changes the size of `held` to `bytes`. Returns false, and changes nothing, if its owner may not use that much. */
  change(held: Held, bytes: number): boolean {
    const owner = this.#owners.get(held.owner) ?? { bytes: 0, holders: new Set() };
    const more = bytes - held.bytes;
    if (more > 0 && (owner.bytes + more > this.#maxOfOwner || !this.#makeRoom(owner.bytes + more, more))) return false;
    owner.bytes += more;
    this.#usedBytes += more;
    if (bytes > 0) owner.holders.add(held);
    else owner.holders.delete(held);
    if (owner.holders.size > 0) this.#owners.set(held.owner, owner);
    else this.#owners.delete(held.owner);
    return true;
  }

  /** Takes back the largest pieces of owners that use more than `askerBytes`, until `bytes` more fit. */
  #makeRoom(askerBytes: number, bytes: number): boolean {
    while (this.#usedBytes + bytes > this.#maxBytes) {
      const greatest = largest(this.#owners.values());
      const piece = greatest && greatest.bytes > askerBytes ? largest(greatest.holders) : undefined;
      if (!piece) return false;
      piece.set(0);
      piece.giveUp();
    }
    return true;
  }
}

function largest<Item extends { readonly bytes: number }>(items: Iterable<Item>): Item | undefined {
  let found: Item | undefined;
  for (const item of items) if (!found || item.bytes > found.bytes) found = item;
  return found;
}

/** The part of the budget that one body, socket or response uses. */
export class Held {
  readonly owner: string;
  /** Called when the budget takes the piece back for another owner. */
  readonly giveUp: () => void;
  readonly #budget: ByteBudget;
  #bytes = 0;

  constructor(budget: ByteBudget, owner: string, giveUp: () => void) {
    this.#budget = budget;
    this.owner = owner;
    this.giveUp = giveUp;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Changes the size to `bytes`. Returns false, and changes nothing, if the budget has no room for it. */
  set(bytes: number): boolean {
    if (!this.#budget.change(this, bytes)) return false;
    this.#bytes = bytes;
    return true;
  }
}

/** The owner that memory counts against: a human with its bots, or the address before authentication. */
export const ownerOf = (caller: { ownerKey: number } | null, addressBlock = ''): string =>
  caller ? `owner ${caller.ownerKey}` : `address ${addressBlock}`;

export const tooMuchUnread = () =>
  unavailable('your connections have too many unread responses; read or close them, then try again');
