// People and agents: listing, finding, picking and blocking them. May import: chats/chat and the rooms below chats.
import type { ReactNode } from 'react';
import { useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { StatusSign } from '../chat/person-status.tsx';
import { PresenceDot } from '../chat/presence-dot.tsx';
import styles from './person-line.module.css';

interface PersonLineProps {
  who: { username: string; kind: 'human' | 'agent'; display_name: string; avatar_url?: string | undefined };
  /** A note next to the username. */
  note?: string | undefined;
  /** Replaces the word "agent", for lists that contain only agents. */
  kindNote?: string | undefined;
  size?: number;
  /** Shows whether the account is online, and a person's status. */
  hasPresence?: boolean;
  /** Content at the end of the line. */
  children?: ReactNode;
}

/** An account in a list: picture, name, username. */
export function PersonLine({ who, note, kindNote, size = 36, hasPresence = false, children }: PersonLineProps) {
  const known = useCell(useStore().account(who.username));
  const about = [kindNote ?? (who.kind === 'agent' ? t('agent') : null), handleOf(who.username), note].filter(
    (part) => part,
  );
  return (
    <span className={styles['line']}>
      <span className="ui-badged">
        <Avatar
          name={who.display_name}
          username={who.username}
          kind={who.kind}
          url={who.avatar_url ?? known?.avatar_url}
          size={size}
        />
        {hasPresence ? <PresenceDot username={who.username} kind={who.kind} /> : null}
      </span>
      <span className="ui-fill">
        <span className={styles['who']}>
          <span className="ui-line ui-name">{shownName(who)}</span>
          {hasPresence && who.kind === 'human' ? <StatusSign username={who.username} /> : null}
        </span>
        <span className={styles['note']}>{about.join(' · ')}</span>
      </span>
      {children}
    </span>
  );
}
