import type { Group } from './groups.ts';
import type { Action } from './repeat.ts';
import { appendRequest, type Growing } from './request-frames.ts';

interface Tokens {
  bySocket: string[][];
  growing?: readonly Growing[];
  tokensPerSecond: number;
  token: string;
}

/** One action per open stream, with phases spread evenly over the token interval. */
export function tokens(group: Group, { bySocket, growing, tokensPerSecond, token }: Tokens): Action[] {
  const everyMs = 1_000 / tokensPerSecond;
  const all = bySocket.flatMap((ids, socket) => ids.map((id) => ({ id, socket })));
  return all.map(({ id, socket }, index) => ({
    everyMs,
    dueMs: performance.now() + (everyMs * index) / all.length,
    act: () => group.sockets[socket]?.send(appendRequest(id, token, growing?.[socket])),
  }));
}
