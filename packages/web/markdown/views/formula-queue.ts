/** Time for the formulas of one frame. */
const SLICE_MS = 4;

/** Draws one formula, and returns what reads its size. Reading is left to the end: each change after it costs a layout. */
type DrawOne = () => () => void;

const waiting = new Set<DrawOne>();
let isBusy = false;

/** Draws a formula in one of the next frames, with others, as many as fit. Returns a function that takes it back. */
export function drawSoon(one: DrawOne): () => void {
  waiting.add(one);
  if (!isBusy) requestAnimationFrame(drawSome);
  isBusy = true;
  return () => void waiting.delete(one);
}

function drawSome(): void {
  const endAt = performance.now() + SLICE_MS;
  const measures: (() => void)[] = [];
  for (const one of waiting) {
    waiting.delete(one);
    measures.push(one());
    if (performance.now() > endAt) break;
  }
  for (const measure of measures) measure();
  isBusy = waiting.size > 0;
  if (isBusy) requestAnimationFrame(drawSome);
}
