import type { Chat, StoredMessage } from '@parley/client/store';
import { addedOf, addedText } from '../../chats/chat/added-notice.ts';
import { joinOf } from '../../chats/chat/join-notice.ts';
import { knownNames } from '../../chats/chat/known-names.ts';
import { joinText } from '../../chats/chat/join-text.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { isRecord } from '../../markdown/tags/tag-values.ts';
import styles from './service-notice.module.css';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';

interface ServiceNoticeProps {
  chat: Chat;
  message: StoredMessage;
  /** Joins right before this one, which it shows too. */
  joinsBefore: readonly string[] | undefined;
  isTabStop: boolean;
}

/** A service notice, centred in the timeline without a sender's name (WEB-65). */
export default function ServiceNotice({ chat, message, joinsBefore, isTabStop }: ServiceNoticeProps) {
  const { service, content } = message;
  if (!service) return null;
  const join = joinOf(service);
  const added = addedOf(service);
  return (
    <p className={styles['notice']} data-message={message.id} data-row tabIndex={isTabStop ? 0 : -1} dir="auto">
      {join ? (
        <Joins chat={chat} message={message} before={joinsBefore ?? []} inviter={join.inviter} />
      ) : added ? (
        <AddedLine chat={chat} message={message} added={added} />
      ) : content === '' ? (
        noticeText(service)
      ) : (
        content
      )}
    </p>
  );
}

interface AddedLineProps {
  chat: Chat;
  message: StoredMessage;
  added: NonNullable<ReturnType<typeof addedOf>>;
}

function AddedLine({ chat, message: { sender }, added }: AddedLineProps) {
  const { store, username: me } = useSession();
  const account = useCell(store.account(sender.username)) ?? sender;
  return addedText({
    added,
    sender: account,
    me,
    nameOf: knownNames(store, chat),
    titleOf: (channelId) => chat.channels.find(({ id }) => id === channelId)?.title,
  });
}

interface JoinsProps {
  chat: Chat;
  message: StoredMessage;
  before: readonly string[];
  inviter: string | null;
}

function Joins({ chat, message, before, inviter }: JoinsProps) {
  const { store, username } = useSession();
  const seen = useCell(store.account(inviter ?? ''));
  const account = chat.participants.find((participant) => participant.username === inviter) ?? seen;
  const senders = [...before.flatMap((id) => store.message(id).get() ?? []), message].map(({ sender }) => sender);
  // A person who left and came back has several notices.
  const people = [...new Map(senders.map((sender) => [sender.username, sender])).values()];
  const by = account ? shownName(account) : inviter && handleOf(inviter);
  const others = people.filter((who) => who.username !== username);
  return joinText({
    names: others.map(shownName),
    withReader: others.length < people.length,
    inviter: by,
    isMine: inviter === username,
  });
}

/** The text of a notice without content, from its kind and subject. Bots may omit either. */
function noticeText(service: unknown): string {
  const { kind, targets } = isRecord(service) ? service : {};
  const words = typeof kind === 'string' ? kind.replaceAll('_', ' ').trim() : '';
  const names = Array.isArray(targets) ? targets.filter((name) => typeof name === 'string') : [];
  const about = listOf(names.map(handleOf));
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${about}`.trim() || t('Notice');
}
