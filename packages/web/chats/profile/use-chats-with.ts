import type { Chat } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';

/** The user's conversations in which an account takes part, as far as their participants are loaded. */
export function useChatsWith(username: string): readonly Chat[] {
  const { store } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  return chats.filter(({ participants }) => participants.some((one) => one.username === username));
}
