import type { Chat, StoredMessage } from '@parley/client/store';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useComposings } from '../../composer/composing/composing.ts';
import { useSession } from '../../session/session.ts';
import { errorText } from '../../words/error-text.ts';
import { useAsker } from './use-may-retry.ts';
import styles from './version-switch.module.css';
import { t } from '../../words/t.ts';

interface VersionSwitchProps {
  chat: Chat;
  /** The version that is shown. */
  message: StoredMessage;
  /** Whether another version, which is to be shown, is not loaded yet. */
  isLoading: boolean;
}

const notThere = t('You can’t see that version: you hid it, or it was deleted.');

/** Below a reply with several versions: shows another one. For the person who asked, it becomes the current one. */
export function VersionSwitch({ chat, message, isLoading }: VersionSwitchProps) {
  const { client, store, looks, username } = useSession();
  const composings = useComposings();
  const isAsker = useAsker(message) === username;
  const isChoosing = useSyncExternalStore(looks.subscribe, () => looks.isChoosing(message));
  const { channel_id, thread_root_id, versions } = message;
  if (!versions) return null;
  const { ids, current } = versions;
  const at = ids.indexOf(message.id);
  const note = (text: string): void =>
    composings.signal('note', { chat_id: chat.id, channel_id, thread_root_id }, { text, isError: true });

  async function show(id: string | undefined) {
    if (id === undefined) return;
    try {
      await store.loadMessages([id]);
      const version = store.message(id).get();
      if (!version) return note(notThere);
      // The way back to the current version chooses nothing, unless a choice is on its way.
      const isChoice = isAsker && (id !== current || isChoosing);
      looks.look(version, isChoice);
      if (!isChoice) return;
      try {
        await client.call('chooseVersion', { message_id: id });
        looks.end(version);
      } catch (error) {
        // It stays in view here.
        looks.look(version);
        throw error;
      }
    } catch (error) {
      note(errorText(error));
    }
  }

  const step = (to: string | undefined, label: string, icon: ReactNode) => (
    <button
      type="button"
      className={to === undefined ? undefined : 'ui-quiet'}
      // A disabled button would lose the focus.
      aria-disabled={to === undefined}
      aria-label={label}
      title={label}
      data-fold
      onClick={() => void show(to)}
    >
      {icon}
    </button>
  );
  return (
    <div className={styles['switch']} role="group" aria-label={t('Versions of this reply')} data-versions>
      {step(ids[at - 1], t('Previous version'), <ChevronLeft />)}
      <span
        className={styles['count']}
        role="status"
        aria-label={t('Version {number, number} of {count, number}', { number: at + 1, count: ids.length })}
      >
        {at + 1}/{ids.length}
      </span>
      {step(ids[at + 1], t('Next version'), <ChevronRight />)}
      {isLoading ? (
        <span className={styles['loading']} role="status">
          {t('Loading the other version …')}
        </span>
      ) : message.id === current || isChoosing ? null : (
        <button
          type="button"
          className={classNames(styles['back'], 'ui-quiet')}
          data-fold
          onClick={() => void show(current)}
        >
          {t('Back to the current version')}
        </button>
      )}
    </div>
  );
}
