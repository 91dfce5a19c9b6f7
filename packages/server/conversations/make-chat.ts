// conversations/: who takes part in a conversation. Imports recovery and below.
import type { UnitCall } from '../commits/unit-call.ts';
import { chatByKey, countParticipants, directChat, insertChat, insertParticipant, type Role } from '../store/chats.ts';
import { markChatFor } from '../store/notifications.ts';
import { setPosting, setVisibility } from '../store/public-chats.ts';

export interface NewMember {
  accountKey: number;
  kind: 'human' | 'agent';
  role: Role;
  /** Null for humans, and for agents that answer everything: they have no setting. */
  alwaysOn: boolean | null;
}

export interface NewChat {
  kind: 'direct' | 'group';
  title: string | null;
  /** `pairOf` the accounts of a direct chat; null for a group. */
  pair: string | null;
  /** The chat is a separate one of its pair. */
  isSeparate?: boolean;
  /** A group that people find and join by themselves (PUBLIC-1). */
  isPublic?: boolean;
  /** A group in which only owner and admins write (POST-1). */
  managersPost?: boolean;
  members: readonly NewMember[];
}

interface MadeChat {
  key: number;
  id: Uint8Array;
  /** False if the pair already had its direct chat; then nothing was written. */
  isNew: boolean;
}

/** Identifies two accounts, whichever of them starts a chat; a chat with oneself repeats one key (CONV-2). */
export const pairOf = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;

/**
 * Creates a conversation with its first members, which also join it in the hub. If two callers create the same direct
 * chat concurrently, the unique index on the pair lets one win, and the other gets its conversation.
 */
export async function makeChat(
  { tx, caller, now, newId, intend }: Pick<UnitCall, 'tx' | 'caller' | 'now' | 'newId' | 'intend'>,
  { kind, title, pair, isSeparate = false, isPublic = false, managersPost = false, members }: NewChat,
): Promise<MadeChat> {
  const id = newId();
  const [directPair, separatePair] = isSeparate ? [null, pair] : [pair, null];
  const made = await tx.get(insertChat, id, kind, title, directPair, separatePair, now);
  if (!made) {
    const known = directPair === null ? undefined : await tx.get(directChat, directPair);
    const chat = known && (await tx.get(chatByKey, known.key));
    if (!chat) throw new Error('the conversation was neither created nor found');
    return { key: chat.key, id: chat.id, isNew: false };
  }
  if (isPublic) await tx.run(setVisibility, made.key, 1);
  if (managersPost) await tx.run(setPosting, made.key, 1);
  let agents = 0;
  let participants = 0;
  for (const { accountKey, kind: memberKind, role, alwaysOn } of members) {
    const setting = alwaysOn === null ? null : Number(alwaysOn);
    const wasAdded = Number(accountKey !== caller.key);
    // An account that is listed twice is added once.
    if ((await tx.run(insertParticipant, made.key, accountKey, role, setting, 0, now, wasAdded)) === 0) continue;
    participants += 1;
    if (memberKind === 'agent') agents += 1;
    if (memberKind === 'human') await tx.run(markChatFor, made.key, accountKey);
    intend({ type: 'join', chatKey: made.key, accountKey });
  }
  await tx.run(countParticipants, made.key, participants, agents);
  return { key: made.key, id, isNew: true };
}
