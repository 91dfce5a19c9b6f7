import { ApiError } from '@parley/client';
import type { Result } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { guest } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { membersText } from '../chat/member-counts.ts';
import styles from './join.module.css';
import { t } from '../../words/t.ts';

export type Preview = Result<'getInvite'>;

/** What an invite leads to: null until it is known, or if the service cannot be asked; 'over' if it no longer works. */
export function useInvitePreview(token: string | null): Preview | 'over' | null {
  const [preview, setPreview] = useState<Preview | 'over' | null>(null);
  useEffect(() => {
    if (token === null) return undefined;
    let isCurrent = true;
    guest()
      .getInvite({ token })
      .then(
        (found) => isCurrent && setPreview(found),
        (error: unknown) => isCurrent && isOver(error) && setPreview('over'),
      );
    return () => {
      isCurrent = false;
    };
  }, [token]);
  return preview;
}

const isOver = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'invalid_argument');

export const OVER = t('This invite has expired, was used up or was revoked. Ask the person who sent it for a new one.');

export const WHAT_JOINING_MEANS = t(
  'Once you join, you see its members and all its messages. You appear in its member list, and a notice tells the group.',
);

/** The group of an invite: its picture, name, size, and who invites. */
export function InvitedGroup({ preview: { title, avatar_url, member_count, invited_by } }: { preview: Preview }) {
  return (
    <div className={styles['group']} data-invite>
      <Avatar name={title} username={title} kind="group" url={avatar_url} size={44} />
      <span className={classNames(styles['about'], 'ui-break')}>
        <strong dir="auto">{title}</strong>
        <span className="ui-aside">{membersText(member_count)}</span>
        {invited_by === undefined ? null : (
          <span className="ui-aside" dir="auto">
            {t('{name} invites you', { name: invited_by })}
          </span>
        )}
      </span>
    </div>
  );
}
