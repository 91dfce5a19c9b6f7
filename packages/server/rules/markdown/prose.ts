// What of a Markdown message is prose: neither code nor tag markup. Neither a code
// span nor a tag reaches over the end of its block. Linear in the text.

import { textBlocks } from './blocks.ts';
import type { Range } from './blocks.ts';
import { runLength } from './lines.ts';
import { endOfEachTag } from './tag-ends.ts';

const PERCENT = 0x25;
const BACKSLASH = 0x5c;
const BACKTICK = 0x60;
const OPEN_BRACE = 0x7b;

/** The ranges of prose, in order. */
export function* proseRanges(text: string): Generator<Range> {
  for (const block of textBlocks(text)) {
    let start = block.start;
    for (const span of codeAndTags(text, block)) {
      yield { start, end: span.start };
      start = span.end;
    }
    yield { start, end: block.end };
  }
}

/** The code spans and tags of a block, in order: each begins with a backtick or with `{%`. */
export function* codeAndTags(text: string, block: Range): Generator<Range> {
  let lastRuns: Map<number, number> | undefined;
  let tagEnds: Map<number, number> | undefined;
  let at = block.start;
  while (at < block.end) {
    const char = text.charCodeAt(at);
    let end: number | undefined;
    let step = 1;
    if (char === BACKSLASH) {
      // What a backslash escapes opens nothing.
      step = 2;
    } else if (char === BACKTICK) {
      step = runLength(text, at, block.end);
      lastRuns ??= lastRunOfEachLength(text, at, block.end);
      // An unclosed run is literal. Knowing that before the search keeps the whole linear.
      if ((lastRuns.get(step) ?? at) > at) end = codeSpanEnd(text, at + step, block.end, step);
    } else if (char === OPEN_BRACE && text.charCodeAt(at + 1) === PERCENT) {
      tagEnds ??= endOfEachTag(text, at, block.end);
      end = tagEnds.get(at);
    }
    if (end !== undefined) yield { start: at, end };
    at = end ?? at + step;
  }
}

function lastRunOfEachLength(text: string, from: number, end: number): Map<number, number> {
  const last = new Map<number, number>();
  for (const run of backtickRuns(text, from, end)) last.set(run.end - run.start, run.start);
  return last;
}

function codeSpanEnd(text: string, from: number, end: number, length: number): number | undefined {
  for (const run of backtickRuns(text, from, end)) if (run.end - run.start === length) return run.end;
  return undefined;
}

function* backtickRuns(text: string, from: number, end: number): Generator<Range> {
  let at = from;
  for (;;) {
    while (at < end && text.charCodeAt(at) !== BACKTICK) at++;
    if (at >= end) return;
    const after = at + runLength(text, at, end);
    yield { start: at, end: after };
    at = after;
  }
}
