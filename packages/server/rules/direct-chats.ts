/** The properties of an account that the rule depends on. */
export interface Party {
  key: number;
  kind: 'human' | 'agent';
  /** The owner of an agent. */
  parentKey: number | null;
  isPublic: boolean;
}

/**
 * True if `caller` may begin a direct chat with `other` (CONV-3, CONV-4). Undefined if it depends on whether the two
 * share a conversation.
 */
export function mayBeginDirectChat(caller: Party, other: Party): true | undefined {
  if (caller.key === other.key) return true;
  if (other.kind === 'agent') return other.isPublic || other.parentKey === caller.key || undefined;
  return caller.kind === 'human' || caller.parentKey === other.key || undefined;
}
