/** A message that somebody may have to be told of. */
export interface QueuedMessage {
  messageKey: number;
  chatKey: number;
  senderKey: number;
  /** It was stored a while ago. */
  isLate: boolean;
}

/** The newest message is pushed; so many of those before it stand by, for it may be deleted before its turn comes. */
export const MOST_OF_A_PUSH = 5;

/** What one push is about where there were two: in the order of the conversation, and what is left over. */
export function joinMessages(
  some: readonly QueuedMessage[],
  others: readonly QueuedMessage[],
): { kept: QueuedMessage[]; left: QueuedMessage[] } {
  const known = new Set(others.map(({ messageKey }) => messageKey));
  const left = some.filter(({ messageKey }) => known.has(messageKey));
  const all = [...some.filter(({ messageKey }) => !known.has(messageKey)), ...others];
  const kept = all.toSorted((one, other) => one.messageKey - other.messageKey);
  left.push(...kept.splice(0, Math.max(0, kept.length - MOST_OF_A_PUSH)));
  return { kept, left };
}
