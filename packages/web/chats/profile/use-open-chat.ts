import type { Account } from '@parley/protocol';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { chatRefusal } from '../../words/chat-refusal.ts';

/** Opens the direct chat with an account; `problem` says why it could not be opened. */
export function useOpenChat({ username, kind }: Pick<Account, 'username' | 'kind'>, onOpened?: () => void) {
  const navigate = useNavigate();
  const { client, store } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const open = () =>
    void submit(
      async () => {
        const chat = await client.call('startChat', { username });
        store.putChat(chat);
        onOpened?.();
        navigate(chatRoute(chat.id));
      },
      (error) => ({ field: null, text: chatRefusal(error, kind === 'agent') }),
    );
  return { isBusy, problem: errorBut(), open };
}
