/** A message that may have to be pushed. */
export interface QueuedMessage {
  messageKey: number;
  chatKey: number;
  senderKey: number;
  /** True if the message was stored a while ago. */
  isLate: boolean;
}

/** Maximum messages per push. The newest is shown; the others replace it if it is deleted before the push is sent. */
const MAX_MESSAGES_PER_PUSH = 5;

/** Merges the messages of two pushes, in conversation order. `left`: those that the merged push does not need. */
export function joinMessages(
  some: readonly QueuedMessage[],
  others: readonly QueuedMessage[],
): { kept: QueuedMessage[]; left: QueuedMessage[] } {
  const known = new Set(others.map(({ messageKey }) => messageKey));
  const left = some.filter(({ messageKey }) => known.has(messageKey));
  const all = [...some.filter(({ messageKey }) => !known.has(messageKey)), ...others];
  const kept = all.toSorted((one, other) => one.messageKey - other.messageKey);
  left.push(...kept.splice(0, Math.max(0, kept.length - MAX_MESSAGES_PER_PUSH)));
  return { kept, left };
}
