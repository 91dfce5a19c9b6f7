// Webhooks of a group. May import: chats/chat, chats/people and the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { Result, Webhook } from '@parley/protocol';
import { Plus, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CopiedField } from '../../ui/forms/copied-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import styles from '../chat/details.module.css';
import { useLoadedWithMembers } from '../chat/use-loaded-with-members.ts';
import { NewWebhook } from './new-webhook.tsx';

type NewlyMade = Result<'createWebhook'>;

/** The webhooks of a group: other programs write messages through their addresses. */
export function WebhookList({ chat }: { chat: Chat }) {
  const { client, may } = useSession();
  const chat_id = chat.id;
  const [isAdding, setIsAdding] = useState(false);
  const [made, setMade] = useState<NewlyMade | null>(null);
  const load = useCallback(async () => (await client.call('getWebhooks', { chat_id })).items, [client, chat_id]);
  const webhooks = useLoadedWithMembers(chat, load);
  return (
    <Section
      level={3}
      title={t('Webhooks')}
      action={
        isAdding || !may('createWebhook') ? null : (
          <Button size="small" look="quiet" onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New webhook')}
          </Button>
        )
      }
    >
      {isAdding ? (
        <NewWebhook
          chat={chat}
          onClose={() => setIsAdding(false)}
          onWebhook={(webhook) => {
            setMade(webhook);
            webhooks.put([webhook, ...(webhooks.value ?? [])]);
            setIsAdding(false);
          }}
        />
      ) : null}
      {made ? <NewAddress webhook={made} onClose={() => setMade(null)} /> : null}
      <LoadedView
        loaded={webhooks}
        label={t('Loading webhooks')}
        empty={t('No webhooks yet. With one, another program can write messages here.')}
      >
        {(items) => (
          <ul className={styles['list']}>
            {items.map((webhook) => (
              <WebhookRow
                key={webhook.id}
                chat={chat}
                webhook={webhook}
                onDeleted={() => {
                  webhooks.put(items.filter(({ id }) => id !== webhook.id));
                  if (made?.id === webhook.id) setMade(null);
                }}
              />
            ))}
          </ul>
        )}
      </LoadedView>
    </Section>
  );
}

/** The address of a webhook that was just made: the service does not show it again. */
function NewAddress({ webhook, onClose }: { webhook: NewlyMade; onClose: () => void }) {
  const address = new URL(webhook.url, location.origin).href;
  const field = useRef<HTMLInputElement>(null);
  // The form has closed: move the focus to what it made.
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={styles['form']}>
      <p className="ui-hint">
        {t('Copy the address now: it won’t be shown again. Anyone who has it can write to this group.')}
      </p>
      <CopiedField ref={field} label={t('Address of {name}', { name: webhook.account.display_name })} value={address} />
      <div className={styles['buttons']}>
        <Button size="small" look="quiet" onClick={onClose}>
          {t('Done')}
        </Button>
        <CopyButton text={address} label={t('Copy address')} />
      </div>
    </div>
  );
}

interface WebhookRowProps {
  chat: Chat;
  webhook: Webhook;
  onDeleted: () => void;
}

function WebhookRow({ chat, webhook, onDeleted }: WebhookRowProps) {
  const { client } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const { account, channel_id } = webhook;
  const { display_name: name, parent_username: owner = '' } = account;
  const channel = chat.channels.find(({ id }) => id === channel_id)?.title;
  async function remove() {
    await client.call('deleteWebhook', { webhook_id: webhook.id });
    onDeleted();
  }
  return (
    <li className={styles['item']}>
      <span className={classNames(styles['webhook'], 'ui-row')}>
        <Avatar name={name} username={account.username} kind="agent" url={account.avatar_url} size={32} />
        <span>
          <span dir="auto">{name}</span>
          <span className="ui-hint">
            {channel === undefined
              ? t('made by @{owner}', { owner })
              : t('to #{channel}, made by @{owner}', { channel, owner })}
          </span>
        </span>
      </span>
      <IconButton label={t('Delete {name}', { name })} icon={<Trash2 />} onClick={() => setIsAsking(true)} />
      {isAsking ? (
        <Confirm
          title={t('Delete {name}?', { name })}
          text={t('Programs that use its address can’t write here any more. Its messages stay.')}
          action={t('Delete webhook')}
          isDanger
          onConfirm={remove}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </li>
  );
}
