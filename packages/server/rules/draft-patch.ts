// Sockets with the cap `patch` receive an open reply as changes to the lines of the revision that they have.

interface PatchOp {
  /** Index of the first line to delete. */
  at: number;
  /** Number of lines to delete. */
  del: number;
  /** Lines to insert in their place. */
  ins: string[];
}

/** The state of a text that `appendPatch` needs: the number of its lines, and the last one. */
export interface TextEnd {
  readonly lineCount: number;
  readonly lastLine: string;
}

export function endOf(text: string): TextEnd {
  const lines = text.split('\n');
  return { lineCount: lines.length, lastLine: lines.at(-1) ?? '' };
}

/** The patch that appends `added`. Its cost depends on the last line and `added`, not on the whole text (CAPS-6). */
export function appendPatch({ lineCount, lastLine }: TextEnd, added: string): { ops: PatchOp[]; end: TextEnd } {
  const ins = (lastLine + added).split('\n');
  return {
    ops: [{ at: lineCount - 1, del: 1, ins }],
    end: { lineCount: lineCount + ins.length - 1, lastLine: ins.at(-1) ?? '' },
  };
}

/** The patch that turns `from` into `to`: it replaces all lines but the common first and last ones. */
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

/** Applies a patch as the published interface tells clients to: split on newlines, ops from last to first, join. */
export function applyPatch(text: string, ops: readonly PatchOp[]): string {
  const lines = text.split('\n');
  for (const { at, del, ins } of ops.toReversed()) lines.splice(at, del, ...ins);
  return lines.join('\n');
}
