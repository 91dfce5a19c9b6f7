import { OfficeFailure } from './failure.ts';
import { MAX_ASIDES } from './limits.ts';
import type { Aside } from './tree.ts';

/** Collects what stands beside the text of one page or sheet. */
export class Asides {
  readonly #asides: Aside[] = [];
  /** Whether an aside was left out: there were too many, or it is in a damaged part of the file. */
  isCut = false;

  add(aside: Aside): void {
    if (aside.blocks.length === 0) return;
    if (this.#asides.length < MAX_ASIDES) this.#asides.push(aside);
    else this.isCut = true;
  }

  /** Reads another part of the file. If that part is damaged, the others are read nevertheless. */
  async read(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (!(error instanceof OfficeFailure)) throw error;
      this.isCut = true;
    }
  }

  /** The asides in the order in which they are shown: headers first, and the objects of a page before its notes. */
  get all(): readonly Aside[] {
    return this.#asides.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  }
}

const order: readonly Aside['kind'][] = ['header', 'object', 'footnote', 'endnote', 'footer', 'notes', 'comment'];
