import type { Chat } from '@parley/client/store';
import type { Result } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { untilTime } from '../../words/times.ts';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

type ListedInvite = Result<'getInvites'>['items'][number];

const A_WEEK_S = 604_800;

/** A link with which people join the group: one that still works for any number of people, otherwise a new one. */
export default function InviteDialog({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const { client } = useSession();
  const chat_id = chat.id;
  const load = useCallback(async (): Promise<ListedInvite> => {
    const { items } = await client.call('getInvites', { chat_id });
    const open = items.find(({ url, max_uses }) => url !== undefined && max_uses === undefined);
    return open ?? client.call('createInvite', { chat_id, expires_in: A_WEEK_S });
  }, [client, chat_id]);
  const invite = useLoaded(load);
  return (
    <Dialog title={t('Invite people')} isOpen onClose={onClose}>
      <LoadedView loaded={invite} label={t('Loading invites')}>
        {({ url = '', expires_at }) => {
          const link = new URL(url, location.origin).href;
          return (
            <div className={styles['form']}>
              <p>{t('Send this link to the people you want here. Without an account they make one first.')}</p>
              <CopiedField label={t('Invite link')} value={link} />
              <p className="ui-hint">
                {expires_at === undefined
                  ? t('Anyone with the link can join.')
                  : t('Anyone with the link can join, until {time}.', { time: untilTime(expires_at) })}
              </p>
              <div className={styles['buttons']}>
                {/* Browsers of phones have it, and most others not. */}
                {'share' in navigator ? (
                  <Button
                    size="small"
                    onClick={() => void navigator.share({ title: chat.title ?? '', url: link }).catch(() => undefined)}
                  >
                    {t('Share …')}
                  </Button>
                ) : null}
                <CopyButton text={link} label={t('Copy link')} look="primary" />
              </div>
            </div>
          );
        }}
      </LoadedView>
    </Dialog>
  );
}
