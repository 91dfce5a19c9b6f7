/** Of so many tries the fastest counts; where that says no, more of them: a busy machine only adds to the time. */
const TRIES = 9;
const MOST_TRIES = 60;
/** Between 1 for what is linear and 4 for what is quadratic. */
const LINEAR = 2.5;

/** True where a text four times as long takes about four times as long: as long as the shorter one four times over. */
export function isLinear(work: (text: string) => unknown, textOf: (size: number) => string, size: number): boolean {
  const [short, long] = [textOf(size), textOf(4 * size)];
  let [fourShort, oneLong] = [Infinity, Infinity];
  // In turns, and of one length, so that what else the machine does meets both alike.
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
