const ends: { step: string; at: number }[] = [];

/** Notes that a step of the start has ended. */
export const endStep = (step: string): void => void ends.push({ step, at: performance.now() });

/** Milliseconds that each step took, in their order; the first began with the process. For the line `ready`. */
export function stepsOfStart(): Record<string, number> {
  const steps: Record<string, number> = {};
  let from = 0;
  for (const { step, at } of ends.splice(0)) {
    steps[step] = Math.round(at - from);
    from = at;
  }
  return steps;
}
