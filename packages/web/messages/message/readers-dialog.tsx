import type { Result } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from './readers-dialog.module.css';

const PAGE = 100;

/** Who has read an own message. */
export default function ReadersDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  const { client } = useSession();
  const load = useCallback(
    async (): Promise<Result<'getMessageReaders'>> =>
      client.call('getMessageReaders', { message_id: messageId, limit: PAGE }),
    [client, messageId],
  );
  const readers = useLoaded(load);
  const { isBusy, errorBut, submit } = useSubmit();
  const { value } = readers;
  const more = async (cursor: string) => {
    await submit(async () => {
      const page = await client.call('getMessageReaders', { message_id: messageId, limit: PAGE, cursor });
      readers.change(({ items }) => ({ ...page, items: [...items, ...page.items] }));
    });
  };
  return (
    <Dialog
      title={value ? t('Seen by {count, number}', { count: value.count }) : t('Seen by')}
      isOpen
      onClose={onClose}
    >
      <LoadedView loaded={readers} label={t('Loading who has read it')}>
        {({ items, next_cursor: cursor }) => (
          <>
            <ul className="ui-stack">
              {items.map((who) => (
                <li key={who.username}>
                  <PersonLine who={who} />
                </li>
              ))}
            </ul>
            {cursor === undefined ? null : (
              <Button className={styles['more']} isBusy={isBusy} onClick={() => void more(cursor)}>
                {t('Show more')}
              </Button>
            )}
          </>
        )}
      </LoadedView>
      <Problem text={errorBut()} />
    </Dialog>
  );
}
