import type { Visibility } from '@parley/protocol';

/** The properties of an account that the rule depends on. */
export interface Party {
  key: number;
  kind: 'human' | 'agent';
  /** The owner of an agent. */
  parentKey: number | null;
  /** Of an agent. */
  visibility: Visibility;
}

/**
 * Whether `caller` may begin a direct chat with `other` (CONV-3, CONV-4, CUSTOM-6). Undefined if it depends on whether
 * the two share a conversation.
 */
export function mayBeginDirectChat(caller: Party, other: Party): boolean | undefined {
  if (caller.key === other.key) return true;
  if (other.kind === 'human') return caller.kind === 'human' || caller.parentKey === other.key || undefined;
  if (other.parentKey === caller.key || other.visibility === 'public') return true;
  return other.visibility === 'private' ? false : undefined;
}
