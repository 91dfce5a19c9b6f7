import { useSession } from '../../session/session.ts';
import type { Place } from '../composing/composing.ts';
import type { Preview } from './use-preview.ts';
import styles from './who-line.module.css';
import { nameOf, whoText, withoutPayer } from './who-text.ts';
import { listOf } from '../../words/list-of.ts';
import { nameAlone } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';

interface WhoLineProps {
  place: Place;
  preview: Preview;
  /** Mentioned agents that are not in the chat. */
  absent: readonly string[];
  /** How short names are sent; empty if there are none. */
  replaced: string;
  /** An agent was dismissed: its button is gone. */
  onDismissed: () => void;
  onError: (error: unknown) => void;
}

/** The line above the composer (WEB-110). Screen readers hear it when it changes. */
export function WhoLine({ place, preview, absent, replaced, onDismissed, onError }: WhoLineProps) {
  const { client, store, username, may } = useSession();
  const { agents, refresh } = preview;
  const { chat_id, channel_id, thread_root_id: root } = place;
  const followers = agents.filter(({ reason }) => reason === 'follows');
  const nameOfPerson = (name: string) => nameAlone(store.account(name).get()?.display_name ?? name);
  const shown = may('setAgentKey') ? agents : agents.map(withoutPayer);
  const text = [replaced, whoText(shown, absent, username, nameOfPerson)].filter((part) => part !== '').join(' ');

  async function dismiss(thread_root_id: string): Promise<void> {
    const thread = { chat_id, thread_root_id, channel_id: channel_id ?? undefined };
    await Promise.all(
      followers.map((agent) => client.call('dismissAgent', { ...thread, agent_username: agent.username })),
    );
    refresh();
    onDismissed();
  }

  return (
    <div className={styles['place']} data-who>
      <div className={styles['line']}>
        <p className={styles['text']} role="status" title={text}>
          {text}
        </p>
        {followers.length > 0 && root && may('dismissAgent') ? (
          <button
            type="button"
            className={styles['dismiss']}
            aria-label={t('Dismiss {names} from this thread', { names: listOf(followers.map(nameOf)) })}
            title={t('It follows this thread. After you dismiss it, it answers here only when you ask it again.')}
            // The text keeps the focus, and a phone its keyboard.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => void dismiss(root).catch(onError)}
          >
            {t('Dismiss')}
          </button>
        ) : null}
      </div>
    </div>
  );
}
