// How an open reply reaches sockets with the cap `patch`: as changed lines of the revision they have.

export interface PatchOp {
  /** Index of the first line that goes. */
  at: number;
  /** How many lines go. */
  del: number;
  /** The lines that come in their place. */
  ins: string[];
}

/** What an append needs to know of the text before it: how many lines it has, and the last of them. */
export interface TextEnd {
  readonly lineCount: number;
  readonly lastLine: string;
}

export function endOf(text: string): TextEnd {
  const lines = text.split('\n');
  return { lineCount: lines.length, lastLine: lines.at(-1) ?? '' };
}

/** What changes when `added` comes behind: the last line. Costs what the last line and `added` are long (CAPS-6). */
export function appendPatch({ lineCount, lastLine }: TextEnd, added: string): { ops: PatchOp[]; end: TextEnd } {
  const ins = (lastLine + added).split('\n');
  return {
    ops: [{ at: lineCount - 1, del: 1, ins }],
    end: { lineCount: lineCount + ins.length - 1, lastLine: ins.at(-1) ?? '' },
  };
}

/** What changes when the whole text is replaced: the lines between those that both begin and end with. */
export function replacePatch(from: string, to: string): PatchOp[] {
  const before = from.split('\n');
  const after = to.split('\n');
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const del = before.length - start - end;
  const ins = after.slice(start, after.length - end);
  return del === 0 && ins.length === 0 ? [] : [{ at: start, del, ins }];
}

/** The interface's rule, as a client follows it: split on newlines, ops last to first, join. */
export function applyPatch(text: string, ops: readonly PatchOp[]): string {
  const lines = text.split('\n');
  for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
  return lines.join('\n');
}
