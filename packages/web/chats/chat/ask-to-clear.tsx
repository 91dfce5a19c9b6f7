import type { Chat } from '@parley/client/store';
import { useSession } from '../../session/session.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { agentOf, chatTitle, isSavedMessages } from './chat-title.ts';
import { t } from '../../words/t.ts';

/** Asks before hiding all messages of a conversation for this person. */
export function AskToClear({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { client, username } = useSession();
  return (
    <Confirm
      title={t('Clear the history of “{title}”', { title: chatTitle(chat, username) })}
      text={textFor(chat, username)}
      action={t('Clear history')}
      isDanger
      onConfirm={async () => client.call('clearChat', { chat_id: chat.id })}
      onClose={onClose}
    />
  );
}

function textFor(chat: Chat, me: string): string {
  if (isSavedMessages(chat)) return t('All messages here disappear from all your devices. You can’t undo this.');
  if (agentOf(chat, me))
    return t(
      'All messages here disappear for you, on all your devices. The agent still has them when it answers. You can’t undo this.',
    );
  return t('All messages here disappear for you, on all your devices. The others keep them. You can’t undo this.');
}
