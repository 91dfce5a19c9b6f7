import type { ServerResponse } from 'node:http';
import { type ByteBudget, Held, tooMuchUnread } from '../core/byte-budget.ts';

/**
 * Counts a response against its owner's budget until it has been sent or its connection has closed (LIMIT-27). Returns
 * null if the caller has disconnected.
 */
export function holdUntilSent(
  answers: ByteBudget,
  owner: string,
  response: ServerResponse,
  body: string | Buffer,
): Held | null {
  if (response.destroyed) return null;
  const held = new Held(answers, owner, () => response.socket?.destroy());
  if (!held.set(Buffer.byteLength(body))) throw tooMuchUnread();
  response.once('close', () => held.set(0));
  return held;
}
