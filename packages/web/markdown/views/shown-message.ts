import type { StoredMessage } from '@parley/client/store';
import { createContext, use } from 'react';

/** What parts of a text need to know of the message they stand in. */
export interface ShownMessage {
  readonly chatId: string;
  readonly messageId: string;
  /** Its buttons do something: it is an agent's, stored, and ended. */
  readonly canAct: boolean;
  readonly sender: StoredMessage['sender'];
  /** Of whoever looks at it. */
  readonly me: string;
  /** What somebody is called who takes part or is meant, where that is known; undefined for anyone else. */
  readonly nameOf: (username: string) => string | null | undefined;
}

export const ShownMessageContext = createContext<ShownMessage | null>(null);

export function useShownMessage(): ShownMessage {
  const shown = use(ShownMessageContext);
  if (!shown) throw new Error('this is a part of a message');
  return shown;
}
