import type { StoredMessage } from '@parley/client/store';
import type { Actor, Poll } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../../calls/use-loaded.ts';
import { useSubmit } from '../../../calls/use-submit.ts';
import { PersonLine } from '../../../chats/people/person-line.tsx';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import styles from './poll.module.css';
import { t } from '../../../words/t.ts';

interface VotersProps {
  message: StoredMessage;
  poll: Poll;
  onClose: () => void;
}

/** Who voted for each option. */
export default function PollVoters({ message, poll, onClose }: VotersProps) {
  return (
    <Dialog title={t('Who voted')} isOpen onClose={onClose}>
      {poll.options.map(({ text, votes }, at) =>
        votes === 0 ? null : (
          <section key={text} className={styles['voters']} aria-label={text}>
            <h3 dir="auto">{text}</h3>
            <OptionVoters messageId={message.id} option={at} />
          </section>
        ),
      )}
    </Dialog>
  );
}

function OptionVoters({ messageId, option }: { messageId: string; option: number }) {
  const { client } = useSession();
  const load = useCallback(
    async (cursor?: string) => client.call('getPollVoters', { message_id: messageId, option, cursor }),
    [client, messageId, option],
  );
  const first = useCallback(async () => load(), [load]);
  const loaded = useLoaded(first);
  const { isBusy, errorBut, submit } = useSubmit();
  const more = async (cursor: string) => {
    const page = await load(cursor);
    loaded.change(({ items }) => ({ ...page, items: [...items, ...page.items] }));
  };
  return (
    <LoadedView loaded={loaded} label={t('Loading the voters')}>
      {({ items, next_cursor: cursor }) => (
        <>
          <ul>
            {items.map((voter: Actor) => (
              <li key={voter.username}>
                <PersonLine who={voter} size={32} />
              </li>
            ))}
          </ul>
          {cursor === undefined ? null : (
            <Button look="quiet" size="small" isBusy={isBusy} onClick={() => void submit(async () => more(cursor))}>
              {t('Show more')}
            </Button>
          )}
          <Problem text={errorBut()} />
        </>
      )}
    </LoadedView>
  );
}
