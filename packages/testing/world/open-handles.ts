import { turnOfLoop } from '../clocks/turn-of-loop.ts';

/**
 * Handles that keep a process alive and that a world may leak: servers, connections, threads. Timers are counted
 * separately.
 */
const kinds = ['TCPServerWrap', 'TCPSocketWrap', 'MessagePort', 'Worker'];
/** A closed handle disappears some ticks later. */
const TURNS = 500;

export function countHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (kinds.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Handles opened since `before` that do not close; empty if there are none. */
export async function leakedHandles(before: ReadonlyMap<string, number>): Promise<string[]> {
  let leaks: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    leaks = [...countHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
    if (leaks.length === 0) break;
    await turnOfLoop();
  }
  return leaks;
}
