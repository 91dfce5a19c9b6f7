import type { Chat, StoredMessage } from '@parley/client/store';
import { useState } from 'react';
import { errorText } from '../../words/error-text.ts';
import { useSession, useStore } from '../../session/session.ts';
import { knownNames } from '../../chats/chat/known-names.ts';
import { plainLine } from '../../chats/chat/preview.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './dialogs.module.css';
import { isManager } from '../../chats/chat/roles.ts';
import { t } from '../../words/t.ts';

/** Maximum ids per call of the service. */
const MAX_IDS = 100;

interface DeleteDialogProps {
  chat: Chat;
  /** At least one, at most 100. */
  messages: readonly StoredMessage[];
  /** Called after the messages were deleted, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Asks whether to delete messages for the user or, if allowed, for everyone. */
export default function DeleteDialog({ chat, messages, onDone, onClose }: DeleteDialogProps) {
  const { client, store, username } = useSession();
  const [busy, setBusy] = useState<'me' | 'all' | null>(null);
  const [error, setError] = useState<string | null>(null);
  const isAlone = chat.participant_count === 1;
  const mayForAll = messages.every((message) => mayDeleteForAll(chat, message, username));

  async function hide() {
    // Delete for me hides all versions of a reply.
    const ids = messages.flatMap(({ id, versions }) => versions?.ids ?? [id]);
    for (let from = 0; from < ids.length; from += MAX_IDS) await store.hide(ids.slice(from, from + MAX_IDS));
  }

  async function remove(whose: 'me' | 'all') {
    setBusy(whose);
    setError(null);
    try {
      if (whose === 'me') await hide();
      else {
        const removed = store.remove(messages.map(({ id }) => id));
        // Without a connection the deletion waits, and is shown; a toast says so if it is refused later.
        if (client.state !== 'live') removed.catch(() => undefined);
        const left = client.state === 'live' ? messages.length - (await removed).length : 0;
        if (left > 0) return setError(notForAll(messages.length, left));
      }
      onDone?.();
      return onClose();
    } catch (failure) {
      return setError(errorText(failure));
    } finally {
      setBusy(null);
    }
  }

  return (
    <Dialog
      title={t('{count, plural, one {Delete this message?} other {Delete # messages?}}', { count: messages.length })}
      isOpen
      onClose={onClose}
      footer={
        <>
          {isAlone ? null : (
            <Button isBusy={busy === 'me'} disabled={busy !== null} onClick={() => void remove('me')}>
              {t('Delete for me')}
            </Button>
          )}
          {mayForAll ? (
            <Button look="danger" isBusy={busy === 'all'} disabled={busy !== null} onClick={() => void remove('all')}>
              {isAlone ? t('Delete') : t('Delete for everyone')}
            </Button>
          ) : null}
        </>
      }
    >
      <About messages={messages} isAlone={isAlone} mayForAll={mayForAll} />
      <p className={styles['error']} role="alert">
        {error}
      </p>
    </Dialog>
  );
}

interface AboutProps {
  messages: readonly StoredMessage[];
  isAlone: boolean;
  mayForAll: boolean;
}

/** What would be deleted. */
function About({ messages, isAlone, mayForAll }: AboutProps) {
  const store = useStore();
  const [only] = messages;
  if (messages.length > 1 || !only)
    return mayForAll ? null : <p>{t('Some of these messages can’t be deleted for everyone, only for you.')}</p>;
  const { versions } = only;
  return (
    <>
      <blockquote className={styles['quoted']} dir="auto">
        {plainLine(only, knownNames(store))}
      </blockquote>
      {versions ? (
        <p>
          {isAlone
            ? t('“Delete” deletes only this version.')
            : mayForAll
              ? t(
                  '“Delete for me” hides all {count, number} versions of this reply. “Delete for everyone” deletes only this version.',
                  { count: versions.ids.length },
                )
              : t('“Delete for me” hides all {count, number} versions of this reply.', { count: versions.ids.length })}
        </p>
      ) : null}
    </>
  );
}

function notForAll(count: number, left: number): string {
  if (count === 1) return t('You can’t delete this message for everyone.');
  return t(
    '{left, plural, one {All but 1 message were deleted. You can’t delete that one for everyone.} other {All but # messages were deleted. You can’t delete those for everyone.}}',
    { left },
  );
}

/** Allowed for the user's own messages, those of their agents, and any in a direct chat or a group they manage. */
function mayDeleteForAll(chat: Chat, { sender }: StoredMessage, username: string): boolean {
  return sender.username === username || sender.parent_username === username || isManager(chat, username);
}
