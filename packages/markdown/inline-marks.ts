import type { MarkKind } from './marks.ts';

/** Called for each mark, with its position in the text. */
export type InlineMarkListener = (kind: MarkKind, start: number, end: number) => void;
