import type { StoredMessage } from '@parley/client/store';
import { createContext, use } from 'react';

/** The message that a rendered text belongs to. */
export interface ShownMessage {
  readonly chatId: string;
  readonly messageId: string;
  /** Whether its buttons work: it is a stored, finished message of an agent. */
  readonly canAct: boolean;
  readonly sender: StoredMessage['sender'];
  /** The reader's username. */
  readonly me: string;
  /** The display name of a participant; null if not loaded, undefined for other accounts. */
  readonly nameOf: (username: string) => string | null | undefined;
  /** Whether a name mentions a group of people, or everyone. */
  readonly isGroup?: (name: string) => boolean;
  /** The message mentions the reader. */
  readonly isForMe?: boolean;
}

export const ShownMessageContext = createContext<ShownMessage | null>(null);

export function useShownMessage(): ShownMessage {
  const shown = use(ShownMessageContext);
  if (!shown) throw new Error('this component needs a ShownMessageContext around it');
  return shown;
}
