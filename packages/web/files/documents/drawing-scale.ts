import type { PageSize } from './pdf-messages.ts';

/** Maximum pixels of one drawing: 64 MiB. */
const MAX_PIXELS = 16_777_216;
/** Maximum length of a side: some browsers draw nothing on longer canvases. */
const MAX_SIDE = 8_192;

/** The scale that draws a page in this many pixels of width, or in as many as a canvas may have. */
export const drawingScale = ({ width, height }: PageSize, pixels: number): number =>
  Math.min(pixels / width, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / Math.max(width, height));
