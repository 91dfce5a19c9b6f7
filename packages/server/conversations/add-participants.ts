import type { UnitCall } from '../commits/unit-call.ts';
import { countParticipants, insertParticipant } from '../store/chats.ts';
import { newestMessageKey } from '../store/newest-message.ts';
import { markChatFor } from '../store/notifications.ts';
import { forgetRemoved } from '../store/public-chats.ts';
import { announceAdded, announceMembers } from './announce.ts';

interface Newcomer {
  key: number;
  kind: 'human' | 'agent';
  /** For an agent: whether it answers every message. */
  alwaysOn?: boolean;
}

/**
 * Adds accounts to a group as members, if they do not take part yet. They get its events from this position of the log
 * on, and older messages count as read (GROUP-14).
 */
export async function addParticipants(
  call: UnitCall,
  chat: { key: number },
  newcomers: readonly Newcomer[],
): Promise<void> {
  const { tx, now } = call;
  const readKey = await newestMessageKey(tx, chat.key);
  for (const { key, kind, alwaysOn } of newcomers) {
    const setting = alwaysOn === undefined ? null : Number(alwaysOn);
    const wasAdded = Number(key !== call.caller.key);
    await tx.run(insertParticipant, chat.key, key, 'member', setting, readKey, now, wasAdded);
    if (kind === 'human') {
      await tx.run(markChatFor, chat.key, key);
      await tx.run(forgetRemoved, chat.key, key);
    }
    call.intend({ type: 'join', chatKey: chat.key, accountKey: key });
  }
  const agents = newcomers.filter(({ kind }) => kind === 'agent').length;
  await tx.run(countParticipants, chat.key, newcomers.length, agents);
  await announceAdded(
    call,
    chat.key,
    newcomers.map(({ key }) => key),
  );
  await announceMembers(call, chat.key);
}
