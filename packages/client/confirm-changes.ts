import type { EventParams } from '@parley/protocol';
import type { Listeners } from './event-names.ts';
import type { SendQueue } from './outbox.ts';

/** Compares the changes of the outbox with what the log says of them. */
export function confirmChanges(listeners: Listeners, queue: SendQueue, me: () => string | undefined): void {
  listeners.add('messageUpdated', (message) =>
    queue.confirmChange(
      'editMessage',
      (edit) => edit.message_id === message.id && edit.text === message.content,
      message,
    ),
  );
  listeners.add('messageDeleted', ({ ids }) =>
    queue.confirmChange('deleteMessages', ({ message_ids }) => message_ids.every((id) => ids.includes(id)), { ids }),
  );
  for (const name of ['reactionAdded', 'reactionRemoved'] as const)
    listeners.add(name, ({ message_id, emoji, reactor }: EventParams<'reactionRemoved'>) => {
      if (reactor.username !== me()) return;
      const isSame = (one: { message_id: string; emoji: string; remove?: boolean | null | undefined }): boolean =>
        one.message_id === message_id && one.emoji === emoji && (one.remove === true) === (name === 'reactionRemoved');
      queue.confirmChange('setMessageReaction', isSame, { ok: true });
    });
}
