/** Number of attempts, of which the fastest counts: a busy machine, a collection or a compiler can only add time. */
const MAX_TRIES = 12;
/** Threshold between 1 for linear and 4 for quadratic time. */
const LINEAR = 2;
/** Differences below this are no time that anybody waits for, and the system counts in steps. */
const STEP_MS = 12;

/** CPU time of this thread in milliseconds: unlike the time on the wall, it does not grow with the load of the machine. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** True if one run on a text of 4 × `size` takes about as long as four runs on a text of `size`. */
export function isLinear(work: (text: string) => unknown, textOf: (size: number) => string, size: number): boolean {
  const [short, long] = [textOf(size), textOf(4 * size)];
  let [fourShort, oneLong] = [0, timeOf(work, long, 1)];
  if (oneLong <= STEP_MS) return true;
  fourShort = timeOf(work, short, 4);
  for (let tries = 1; tries < MAX_TRIES && oneLong > LINEAR * fourShort + STEP_MS; tries += 1) {
    oneLong = Math.min(oneLong, timeOf(work, long, 1));
    fourShort = Math.min(fourShort, timeOf(work, short, 4));
  }
  return oneLong <= LINEAR * fourShort + STEP_MS;
}

function timeOf(work: (text: string) => unknown, text: string, times: number): number {
  const start = cpuMs();
  for (let time = 0; time < times; time += 1) work(text);
  return cpuMs() - start;
}
