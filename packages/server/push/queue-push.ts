import type { UnitCall } from '../commits/unit-call.ts';
import { insertPush } from '../store/push-queue.ts';

/** Queues a completed message for pushing, if a member has a token and the service can push (PUSH-14). */
export async function queuePush(
  { tx, settings, node, intend }: Pick<UnitCall, 'tx' | 'settings' | 'node' | 'intend'>,
  chat: { key: number; may_push: number },
  message: { key: number; sender_key: number },
): Promise<void> {
  if (chat.may_push === 0 || !settings.pushes) return;
  await tx.run(insertPush, message.key, chat.key, message.sender_key, node);
  intend({ type: 'push', messageKey: message.key, chatKey: chat.key, senderKey: message.sender_key });
}
