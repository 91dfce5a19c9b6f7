import type { Chat, StoredMessage } from '@parley/client/store';
import { useState } from 'react';
import { errorText } from '../../words/error-text.ts';
import { useSession } from '../../session/session.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './dialogs.module.css';
import { isManager } from '../../chats/chat/roles.ts';

interface DeleteDialogProps {
  chat: Chat;
  message: StoredMessage;
  onClose: () => void;
}

/** Asks whether to delete a message for the user or, if allowed, for everyone. */
export default function DeleteDialog({ chat, message, onClose }: DeleteDialogProps) {
  const { client, store, username } = useSession();
  const [busy, setBusy] = useState<'me' | 'all' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isAlone = chat.participant_count === 1;
  const { versions } = message;
  const mayForAll = mayDeleteForAll(chat, message, username);

  async function remove(whose: 'me' | 'all') {
    setBusy(whose);
    setError(null);
    try {
      if (whose === 'me') await store.hide(versions?.ids ?? [message.id]);
      else {
        const { ids } = await client.call('deleteMessages', { message_ids: [message.id] });
        if (!ids.includes(message.id)) return setError('You can’t delete this message for everyone.');
      }
      return onClose();
    } catch (failure) {
      return setError(errorText(failure));
    } finally {
      setBusy(null);
    }
  }

  return (
    <Dialog
      title="Delete this message?"
      isOpen
      onClose={onClose}
      footer={
        <>
          {isAlone ? null : (
            <Button isBusy={busy === 'me'} disabled={busy !== null} onClick={() => void remove('me')}>
              Delete for me
            </Button>
          )}
          {mayForAll ? (
            <Button look="danger" isBusy={busy === 'all'} disabled={busy !== null} onClick={() => void remove('all')}>
              {isAlone ? 'Delete' : 'Delete for everyone'}
            </Button>
          ) : null}
        </>
      }
    >
      <blockquote className={styles['quoted']} dir="auto">
        {plainLine(message)}
      </blockquote>
      {versions ? (
        <p>
          {isAlone ? null : `“Delete for me” hides all ${versions.ids.length} versions of this reply. `}
          {mayForAll ? `“${isAlone ? 'Delete' : 'Delete for everyone'}” deletes only this version.` : null}
        </p>
      ) : null}
      <p className={styles['error']} role="alert">
        {error}
      </p>
    </Dialog>
  );
}

/** Allowed for the user's own messages, those of their agents, and any in a direct chat or a group they manage. */
function mayDeleteForAll(chat: Chat, { sender }: StoredMessage, username: string): boolean {
  return sender.username === username || sender.parent_username === username || isManager(chat, username);
}
