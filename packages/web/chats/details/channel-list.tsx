import type { Chat } from '@parley/client/store';
import type { Channel } from '@parley/protocol';
import { Hash, Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useMedia } from '../../browser/use-media.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Section } from '../../ui/layout/section.tsx';
import styles from '../chat/details.module.css';
import { NewChannel } from './new-channel.tsx';
import { t } from '../../words/t.ts';

interface ChannelListProps {
  chat: Chat;
  mayEdit: boolean;
  /** Called when a channel was opened, so that the panel can close. */
  onOpen: () => void;
}

/** The channels of a group. */
export function ChannelList({ chat, mayEdit, onOpen }: ChannelListProps) {
  const [isAdding, setIsAdding] = useState(false);
  const [madeId, setMadeId] = useState<string | null>(null);
  const [isGivenUp, setIsGivenUp] = useState(false);
  if (!mayEdit && chat.channels.length === 0) return null;
  return (
    <Section
      level={3}
      title={t('Channels')}
      action={
        mayEdit && !isAdding ? (
          <Button size="small" look="quiet" autoFocus={isGivenUp} onClick={() => setIsAdding(true)}>
            <Plus aria-hidden /> {t('New channel')}
          </Button>
        ) : null
      }
    >
      {chat.channels.length === 0 && !isAdding ? (
        <p className="ui-hint">{t('No channels yet. Add one to keep a topic apart.')}</p>
      ) : null}
      {chat.channels.length > 0 ? (
        <ul className={styles['list']}>
          {chat.channels.map((channel) => (
            <ChannelRow
              key={channel.id}
              chat={chat}
              channel={channel}
              mayEdit={mayEdit}
              onOpen={onOpen}
              isNew={channel.id === madeId}
            />
          ))}
        </ul>
      ) : null}
      {isAdding ? (
        <NewChannel
          chat={chat}
          onDone={(id) => {
            setMadeId(id);
            setIsGivenUp(id === null);
            setIsAdding(false);
          }}
        />
      ) : null}
    </Section>
  );
}

interface ChannelRowProps extends ChannelListProps {
  channel: Channel;
  /** The channel was just created with the form below. */
  isNew: boolean;
}

function ChannelRow({ chat, channel, mayEdit, onOpen, isNew }: ChannelRowProps) {
  const navigate = useNavigate();
  const { client } = useSession();
  const route = useRoute();
  const isWide = useMedia('(min-width: 901px)');
  const [isAsking, setIsAsking] = useState(false);
  const name = useRef<HTMLButtonElement>(null);
  // The form has closed: move the focus to the new channel.
  useEffect(() => {
    if (isNew) name.current?.focus();
  }, [isNew]);
  const open = () => {
    navigate(chatRoute(chat.id, { channelId: channel.id }));
    if (!isWide) onOpen();
  };
  async function remove() {
    await client.call('deleteChannel', { chat_id: chat.id, channel_id: channel.id });
    if (route.name === 'chat' && route.channelId === channel.id) navigate(chatRoute(chat.id), { replace: true });
  }
  return (
    <li className={styles['item']}>
      <button ref={name} type="button" className={styles['channel']} onClick={open}>
        <Hash aria-hidden />
        <span className="ui-cut">{channel.title}</span>
      </button>
      {mayEdit ? (
        <IconButton
          label={t('Delete #{title}', { title: channel.title })}
          icon={<Trash2 />}
          onClick={() => setIsAsking(true)}
        />
      ) : null}
      {isAsking ? (
        <Confirm
          title={t('Delete #{title}', { title: channel.title })}
          text={t('This deletes all its messages for everyone. You can’t undo it.')}
          action={t('Delete channel')}
          isDanger
          onConfirm={remove}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </li>
  );
}
