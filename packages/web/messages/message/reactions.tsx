import type { StoredMessage } from '@parley/client/store';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { listOf } from '../../words/list-of.ts';
import { shownName } from '../../words/shown-name.ts';
import styles from './reactions.module.css';

/** The reactions to a message. A click adds or removes the user's own. */
export function Reactions({ message }: { message: StoredMessage }) {
  const { store, username } = useSession();
  if (message.reactions.length === 0) return null;
  return (
    <div className={styles['reactions']} aria-busy={message.is_waiting}>
      {message.reactions.map(({ emoji, count, reactors }) => {
        const isMine = reactors.some((reactor) => reactor.username === username);
        const names = listOf(reactors.map(shownName));
        return (
          <button
            key={emoji}
            type="button"
            className={classNames(styles['reaction'], isMine && styles['mine'])}
            aria-pressed={isMine}
            aria-label={`${emoji} ${count}, ${names}`}
            title={names}
            onClick={() => void store.react(message.id, emoji, !isMine).catch(() => undefined)}
          >
            <span>
              <EmojiSign emoji={emoji} />
            </span>
            {count}
          </button>
        );
      })}
    </div>
  );
}
