import type { MarkKind } from './marks.ts';

/** Called for each mark, with its position in the text and what is shown in its place. */
export type InlineMarkListener = (kind: MarkKind, start: number, end: number, shown?: string) => void;
