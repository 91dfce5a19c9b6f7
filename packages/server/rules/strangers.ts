/**
 * Whether strangers may have written what stands in the files of a message (CALL-8): a turn's asker answers only for what
 * it has sent itself, and not forwarded.
 */
export const isOfStrangers = (
  { senderKey, isForwarded }: { senderKey: number; isForwarded: boolean },
  { human_key: asker }: { human_key: number },
): boolean => senderKey !== asker || isForwarded;
