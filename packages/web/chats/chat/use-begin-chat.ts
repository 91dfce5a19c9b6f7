import { useCallback } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';

/** Opens another chat with an agent (NEWCHAT-1); resolves with its id. */
export function useBeginChat(): (agent: string) => Promise<string> {
  const navigate = useNavigate();
  const { client, store } = useSession();
  return useCallback(
    async (username) => {
      const chat = await client.call('startChat', { username, new: true });
      store.putChat(chat);
      navigate(chatRoute(chat.id));
      return chat.id;
    },
    [navigate, client, store],
  );
}
