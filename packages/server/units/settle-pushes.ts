import type { UnitCall } from '../call.ts';
import { dropDeadToken, unmarkChat } from '../store/notifications.ts';
import { dequeuePushes } from '../store/push-queue.ts';

/** Deletes rows of the queue that nobody needs any more, and the marks of conversations where nobody has a token. */
export async function settlePushes({ tx }: UnitCall, input: { done: number[]; quietChats: number[] }): Promise<void> {
  await tx.list(dequeuePushes, input.done);
  for (const chatKey of input.quietChats) await tx.run(unmarkChat, chatKey);
}

/** Forgets a token that its push service does not know any more (PUSH-12). */
export async function dropPushToken(
  { tx }: UnitCall,
  input: { tokenKey: number; address: string; registeredAt: number },
): Promise<void> {
  await tx.run(dropDeadToken, input.tokenKey, input.address, input.registeredAt);
}
