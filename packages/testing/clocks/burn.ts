/** Uses this thread until it has had so many milliseconds of the processor. */
export function burn(ms: number): void {
  const before = process.threadCpuUsage();
  for (let used = 0; used < ms * 1_000;) {
    const { user, system } = process.threadCpuUsage(before);
    used = user + system;
  }
}
