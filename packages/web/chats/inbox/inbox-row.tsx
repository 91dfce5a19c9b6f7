import type { Chat } from '@parley/client/store';
import type { InboxItem } from '@parley/protocol';
import { Check, Hand } from 'lucide-react';
import { type MouseEvent, useEffect } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute, hrefOf } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useMessageRow } from '../../session/use-message-row.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/button.tsx';
import { noteOf } from '../../words/finish-notes.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { fullTime, shortTime } from '../../words/times.ts';
import { knownNames, withNames } from '../chat/known-names.ts';
import { chatTitle } from '../chat/chat-title.ts';
import { plainLine } from '../chat/preview.ts';
import styles from './inbox-page.module.css';

/** What happened, as a whole sentence. */
const headlines: Readonly<Record<InboxItem['reason'], (name: string) => string>> = {
  mention: (name) => t('{name} mentioned you', { name }),
  reply: (name) => t('{name} replied to you', { name }),
  thread: (name) => t('{name} wrote in a thread you’re in', { name }),
  failed_reply: (name) => t('{name} couldn’t answer', { name }),
  decision: (name) => t('{name} asks you to decide', { name }),
};

/** What the service says of a message in its own words, in those of the app (WEB-430); undefined for what people wrote. */
function shownSnippet({ reason, finish_reason, contents }: InboxItem, maySetKeys: boolean): string | undefined {
  if (reason === 'failed_reply') return noteOf('failed', finish_reason ?? '', maySetKeys)?.text;
  if (!contents) return undefined;
  const kind = contents.kind === 'photo' ? t('Photo') : t('Voice message');
  return contents.more === 0 ? kind : `${kind} +${contents.more}`;
}

function Snippet({ item, chat }: { item: InboxItem; chat: Chat | undefined }) {
  const { store, may } = useSession();
  const isDecision = item.reason === 'decision';
  // What is asked is worded by the app: its message is known by then, or fetched.
  const message = useMessageRow(isDecision ? item.message_id : '');
  useEffect(() => {
    if (isDecision && !message) void store.loadMessages([item.message_id]).catch(() => undefined);
  }, [store, isDecision, message, item.message_id]);
  if (message) return plainLine(message, knownNames(store, chat));
  return shownSnippet(item, may('setAgentKey')) ?? withNames(item.snippet, knownNames(store, chat));
}

/** One item; its link leads to the message. */
export function InboxRow({ item, onDone }: { item: InboxItem; onDone: (messageId: string) => void }) {
  const navigate = useNavigate();
  const { username, store } = useSession();
  const { message_id, conversation_id, channel_id, thread_root_id, sender, is_unread, created_at } = item;
  const account = useCell(store.account(sender.username));
  const chat = useCell(store.chat(conversation_id));
  const channel = chat?.channels.find(({ id }) => id === channel_id);
  const route = chatRoute(conversation_id, {
    channelId: channel_id,
    threadRootId: thread_root_id,
    messageId: message_id,
  });
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  const name = shownName(sender);
  return (
    <li className={styles['row']} data-item={message_id} data-reason={item.reason}>
      <a className={styles['link']} href={hrefOf(route)} onClick={open}>
        <span className={styles['dot']}>{is_unread ? <span role="img" aria-label={t('Unread')} /> : null}</span>
        <Avatar
          name={sender.display_name}
          username={sender.username}
          kind={sender.kind}
          url={account?.avatar_url}
          size={40}
        />
        <span className={styles['text']}>
          <span className={styles['line']}>
            <span className={classNames('ui-one-line', is_unread && 'ui-strong')} dir="auto">
              {headlines[item.reason](name)}
            </span>
            <time className="ui-time" dateTime={created_at} title={fullTime(created_at)}>
              {shortTime(created_at)}
            </time>
          </span>
          <span className={styles['snippet']} dir="auto">
            <Snippet item={item} chat={chat} />
          </span>
          {chat ? (
            <span className={styles['where']} dir="auto">
              {channel ? `${chatTitle(chat, username)} · #${channel.title}` : chatTitle(chat, username)}
            </span>
          ) : null}
        </span>
      </a>
      {item.reason === 'decision' ? (
        // It goes when somebody has decided.
        <span className={classNames('ui-time', styles['needs'])}>
          <Hand aria-hidden /> {t('Needs you')}
        </span>
      ) : (
        <IconButton label={t('Done')} icon={<Check />} onClick={() => onDone(message_id)} />
      )}
    </li>
  );
}
