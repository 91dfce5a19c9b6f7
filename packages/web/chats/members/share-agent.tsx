import type { Chat } from '@parley/client/store';
import { Check } from 'lucide-react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { tellAdded } from '../chat/tell-added.ts';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import { Done } from '../../ui/states/done.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface ShareAgentProps {
  username: string;
  displayName: string;
  onClose: () => void;
}

/** Adds an agent of the user to groups that the user is in. */
export function ShareAgent({ username, displayName, onClose }: ShareAgentProps) {
  const { store } = useSession();
  const { ids } = useCell(store.chats);
  const groups = ids.flatMap((id) => store.chat(id).get() ?? []).filter(({ kind }) => kind === 'group');
  return (
    <Dialog
      title={t('Add {name} to a group', { name: displayName })}
      isOpen
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      {groups.length === 0 ? (
        <p className="ui-about">{t('You’re in no group yet. Start one with “New conversation”.')}</p>
      ) : (
        <Stack>
          <p className="ui-about">
            {t('It answers there when someone mentions it. You can change that in the group’s details.')}
          </p>
          <ul className="ui-stack">
            {groups.map((chat) => (
              <GroupRow key={chat.id} chat={chat} username={username} />
            ))}
          </ul>
        </Stack>
      )}
    </Dialog>
  );
}

function GroupRow({ chat, username }: { chat: Chat; username: string }) {
  const { client, username: me } = useSession();
  // In a large group only the first participants are loaded; adding an agent again changes only when it answers.
  const isMember = chat.participants.some((participant) => participant.username === username);
  const { isBusy, isDone, errorBut, submit } = useSubmit();
  const title = chatTitle(chat, me);
  const add = () =>
    submit(async () => {
      await client.call('addGroupAgent', { chat_id: chat.id, agent_username: username });
      await tellAdded(client, chat, { usernames: [username] });
    });
  return (
    <li>
      <div className={styles['row']}>
        <span className="ui-row">
          <ChatAvatar chat={chat} size={36} />
          <span className="ui-break">{title}</span>
        </span>
        {isMember || isDone ? (
          <Done>
            <Check aria-hidden /> {t('Added')}
          </Done>
        ) : (
          <Button size="small" aria-label={t('Add to {title}', { title })} isBusy={isBusy} onClick={() => void add()}>
            {t('Add')}
          </Button>
        )}
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}
