import { turnOfLoop } from './turn-of-loop.ts';

/** What keeps a process alive and that a world may forget: servers, connections, threads. Timers are counted apart. */
const kinds = ['TCPServerWrap', 'TCPSocketWrap', 'MessagePort', 'Worker'];
/** A closed handle is gone some turns of the loop later. */
const TURNS = 500;

export function countHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (kinds.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What is open beyond `before` and does not go away; empty when nothing is. */
export async function leakedHandles(before: ReadonlyMap<string, number>): Promise<string[]> {
  let leaks: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    leaks = [...countHandles()].filter(([kind, count]) => count > (before.get(kind) ?? 0)).map(([kind]) => kind);
    if (leaks.length === 0) break;
    await turnOfLoop();
  }
  return leaks;
}
