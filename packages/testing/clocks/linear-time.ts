/**
 * Number of attempts, of which the fastest counts. If it looks quadratic, more attempts follow, up to MOST_TRIES: a
 * busy machine can only add time.
 */
const TRIES = 3;
const MOST_TRIES = 60;
/** Threshold between 1 for linear and 4 for quadratic time. */
const LINEAR = 3;

/** True if one run on a text of 4 × `size` takes about as long as four runs on a text of `size`. */
export function isLinear(work: (text: string) => unknown, textOf: (size: number) => string, size: number): boolean {
  const [short, long] = [textOf(size), textOf(4 * size)];
  let [fourShort, oneLong] = [Infinity, Infinity];
  // The two alternate and take about the same time, so that other load affects both equally.
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    fourShort = Math.min(fourShort, timeOf(work, short, 4));
    oneLong = Math.min(oneLong, timeOf(work, long, 1));
    if (tries >= TRIES && oneLong < LINEAR * fourShort) return true;
  }
  return false;
}

function timeOf(work: (text: string) => unknown, text: string, times: number): number {
  const start = performance.now();
  for (let time = 0; time < times; time += 1) work(text);
  return performance.now() - start;
}
