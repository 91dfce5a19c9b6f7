import type { WebhookSubscription } from '@parley/protocol';
import { History, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';
import { fullTime } from '../../words/times.ts';
import { webhookFailure } from '../../words/webhook-failure.ts';
import styles from '../../config/settings.module.css';
import { kindsOf } from './event-kinds.ts';
import { Replay } from './replay.tsx';

interface SubscriptionCardProps {
  subscription: WebhookSubscription;
  onChange: (changed: WebhookSubscription) => void;
  onDeleted: () => void;
}

/** An address that receives events: what it receives, how it goes, and what can be done with it. */
export function SubscriptionCard({ subscription, onChange, onDeleted }: SubscriptionCardProps) {
  const { client, store, username } = useSession();
  const { id, url, events, chat_id, failure, failure_cause: cause } = subscription;
  const chat = useCell(store.chat(chat_id ?? ''));
  const [asked, setAsked] = useState<'replay' | 'delete' | null>(null);
  const kinds = listOf(kindsOf(events));
  return (
    <Stack>
      <div>
        <p className={styles['address']} dir="ltr">
          {url}
        </p>
        <p className="ui-about">
          {chat_id === undefined
            ? t('{kinds} · all conversations', { kinds })
            : t('{kinds} · {title}', { kinds, title: chat ? chatTitle(chat, username) : t('one conversation') })}
        </p>
        <p className="ui-about">{statusText(subscription)}</p>
        {failure === undefined ? null : (
          <p className="ui-about" dir="auto">
            {t('Last error: {failure}', { failure: webhookFailure(cause, failure) })}
          </p>
        )}
      </div>
      <Buttons atStart>
        <Button size="small" onClick={() => setAsked('replay')}>
          <History aria-hidden /> {t('Send again')}
        </Button>
        <Button size="small" look="danger" onClick={() => setAsked('delete')}>
          <Trash2 aria-hidden /> {t('Delete')}
        </Button>
      </Buttons>
      {asked === 'replay' ? (
        <Replay subscription={subscription} onDone={onChange} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={t('Delete this address?')}
          text={t('Nothing more is sent to {url}.', { url })}
          action={t('Delete')}
          isDanger
          onConfirm={async () => {
            await client.call('deleteWebhookSubscription', { subscription_id: id });
            onDeleted();
          }}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </Stack>
  );
}

function statusText({ status, seq, failing_since: since }: WebhookSubscription): string {
  switch (status) {
    case 'failing':
      return since === undefined
        ? t('It isn’t answering. The service tries again.')
        : t('It hasn’t answered since {time}. The service tries again.', { time: fullTime(since) });
    case 'disabled':
      return t('Off, because it didn’t answer for three days. “Send again” turns it on.');
    default:
      return t('Up to date with event {seq, number}.', { seq });
  }
}
