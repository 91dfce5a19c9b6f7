import type { ServerResponse } from 'node:http';
import { type ByteBudget, Held, tooMuchUnread } from '../core/byte-budget.ts';

/** Counts an answer to its owner until all of it has been sent, or its connection has closed (LIMIT-27). */
export function holdUntilSent(answers: ByteBudget, owner: string, response: ServerResponse, text: string): void {
  // The caller has gone: nothing is sent.
  if (response.destroyed) return;
  const held = new Held(answers, owner, () => response.socket?.destroy());
  if (!held.set(Buffer.byteLength(text))) throw tooMuchUnread();
  response.once('close', () => held.set(0));
}
