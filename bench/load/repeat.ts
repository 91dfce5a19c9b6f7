export interface Action {
  everyMs: number;
  dueMs: number;
  act(dueMs: number): void;
}

/** Runs each action at its rate; a late action catches up. */
export function repeat(actions: Action[]): () => void {
  const timer = setInterval(() => {
    const now = performance.now();
    for (const action of actions) {
      while (action.dueMs <= now) {
        const { dueMs } = action;
        action.dueMs += action.everyMs;
        action.act(dueMs);
      }
    }
  }, 1);
  return () => clearInterval(timer);
}
