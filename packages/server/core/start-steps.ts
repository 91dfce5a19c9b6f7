const PREFIX = 'start: ';

/** Notes that a step of the start has ended. */
export const endStep = (step: string): void => void performance.mark(PREFIX + step);

/** Milliseconds that each step took, in their order; the first began with the process. For the line `ready`. */
export function stepsOfStart(): Record<string, number> {
  const steps: Record<string, number> = {};
  let from = 0;
  for (const { name, startTime } of performance.getEntriesByType('mark')) {
    if (!name.startsWith(PREFIX)) continue;
    steps[name.slice(PREFIX.length)] = Math.round(startTime - from);
    from = startTime;
    performance.clearMarks(name);
  }
  return steps;
}
