/** Runs something once rows that change now have been measured: the list measures them in the next frame. */
export function afterMeasuring(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(run));
}
