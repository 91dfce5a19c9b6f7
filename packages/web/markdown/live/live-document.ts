import { type Block, liveBlocks, normalized, type PlacedBlock, placedBlocks } from '@parley/markdown';
import { appAddresses } from './app-addresses.ts';
import { withoutHalfMarks } from './half-marks.ts';
import { shared } from './shared.ts';
import { BUDGET, withinBudget } from './within-budget.ts';

/** While text streams in, only the last two blocks can change: a new first line can end the block before it. */
const UNSURE = 2;

/** Characters that are read at once: more than a budget draws of most texts. */
const MAX_READ = 24_000;

/** Parses streaming text. Finished blocks are parsed once and stay the same objects. */
export class LiveDocument {
  /** Finished blocks and their source. */
  #finished: PlacedBlock[] = [];
  #source = '';
  #shown: readonly Block[] = [];
  #starts: readonly number[] = [];

  /** Where the blocks of the last `read` begin in its normalized text. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** Whether the text of the last `read` goes on after its blocks. */
  isCut = false;

  /**
   * The blocks of the current text, as many as are drawn at once, or so many times as many (WEB-474). `isLive` while more
   * may follow.
   */
  read(text: string, isLive: boolean, times = 1): readonly Block[] {
    const isLong = text.length > times * MAX_READ;
    const source = normalized(isLong ? beginningOf(text, times * MAX_READ) : text);
    const placed = isLive ? this.#readLive(source) : placedBlocks(source, 0, { addresses: appAddresses });
    this.#starts = placed.map(({ start }) => start);
    const { blocks, isCut } = withinBudget(
      placed.map(({ block }) => block),
      times * BUDGET,
    );
    this.isCut = isLong || isCut;
    this.#shown = shared(this.#shown, blocks);
    return this.#shown;
  }

  #readLive(source: string): PlacedBlock[] {
    if (!source.startsWith(this.#source)) {
      this.#finished = [];
      this.#source = '';
    }
    const { blocks: open, endsInFormula } = liveBlocks(source, this.#source.length, { addresses: appAddresses });
    const last = open.at(-1);
    const start = last?.start ?? this.#source.length;
    const rest = source.slice(start);
    // In an open formula nothing is a mark.
    const shown = endsInFormula ? rest : withoutHalfMarks(rest);
    const isWhole = shown === rest;
    const blocks = [...this.#finished, ...(isWhole ? open : open.slice(0, -1))];
    if (!isWhole)
      for (const { block, start: at } of placedBlocks(shown, 0, { isLive: true, addresses: appAddresses }))
        blocks.push({ block, start: start + at });
    const sure = open.slice(0, -UNSURE);
    const unsure = open[sure.length];
    if (sure.length > 0 && unsure) {
      this.#finished.push(...sure);
      this.#source = source.slice(0, unsure.start);
    }
    return blocks;
  }
}

/** The whole lines at the beginning, if there are any, and no half characters. */
function beginningOf(text: string, most: number): string {
  const line = text.lastIndexOf('\n', most);
  return line > most / 2 ? text.slice(0, line) : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}
