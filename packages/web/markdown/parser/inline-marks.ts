import type { MarkKind } from './marks.ts';

/** Told of what is not shown of a piece of text, by its place in it. */
export type InlineMarkListener = (kind: MarkKind, start: number, end: number) => void;
