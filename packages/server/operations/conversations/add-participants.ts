import type { UnitCall } from '../../call.ts';
import { countParticipants, insertParticipant } from '../../store/chats.ts';
import { markChatFor } from '../../store/notifications.ts';
import { announceAdded, announceMembers } from './announce.ts';

interface Newcomer {
  key: number;
  kind: 'human' | 'agent';
  /** Of an agent: whether it answers everything. */
  alwaysOn?: boolean;
}

/** Brings accounts that take no part yet into a group, as members: from their place in the log on they hear of it. */
export async function addParticipants(
  call: UnitCall,
  chat: { key: number },
  newcomers: readonly Newcomer[],
): Promise<void> {
  const { tx, now } = call;
  for (const { key, kind, alwaysOn } of newcomers) {
    await tx.run(insertParticipant, chat.key, key, 'member', alwaysOn === undefined ? null : Number(alwaysOn), now);
    if (kind === 'human') await tx.run(markChatFor, chat.key, key);
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
