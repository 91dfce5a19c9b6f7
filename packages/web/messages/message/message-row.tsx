// One message. May import: messages/files, messages/actions, messages/selection and the rooms below messages.
import type { Chat, StoredMessage } from '@parley/client/store';
import type { Account } from '@parley/protocol';
import { MessagesSquare } from 'lucide-react';
import { lazy, memo, Suspense, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useOpenProfile } from '../../session/open-profile.ts';
import { useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { fullTime, timeOf } from '../../words/times.ts';
import { useCell } from '../../session/use-cell.ts';
import { isWebhook } from '../../words/is-webhook.ts';
import { shownName } from '../../words/shown-name.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { CheckMark } from '../../ui/check-mark.tsx';
import { Attachments } from '../../files/attachments.tsx';
import { AnswerAgain } from '../actions/answer-again.tsx';
import { MessageActions } from '../actions/message-actions.tsx';
import { DecisionView } from './decision/decision-view.tsx';
import { LinkPreview } from './link-preview.tsx';
import { MessageText } from './message-text.tsx';
import { MessageTicks } from './message-ticks.tsx';
import styles from './message-row.module.css';
import { Quote } from './quote.tsx';
import { Reactions } from './reactions.tsx';
import { isCutOff } from '../actions/may-continue.ts';
import { ReplyActions } from '../actions/reply-actions.tsx';
import { hasTouch } from '../../browser/touch.ts';
import { ReminderLink } from './reminder-link.tsx';
import { SendFailure } from './send-failure.tsx';
import { isSelectable } from '../selection/selection.ts';
import { useChoosing } from '../selection/use-choosing.ts';
import { SubmittedValues } from './submitted-values.tsx';
import { TouchActions } from './touch-actions.tsx';

// Most conversations have none.
const Poll = lazy(async () => import('./poll/poll.tsx'));
const VersionSwitch = lazy(async () => ({ default: (await import('../actions/version-switch.tsx')).VersionSwitch }));
const ChainLine = lazy(async () => import('../chain/chain-line.tsx'));

/** Whether other agents may have asked an agent's reply, or the reply asked or mentioned others. */
const mayBeInChain = ({ sender, reply_to_id, dispatch, left_out }: StoredMessage): boolean =>
  sender.kind === 'agent' && (reply_to_id !== null || dispatch.length > 0 || left_out !== undefined);

export interface MessageRowProps {
  chat: Chat;
  /** From useMessageRow: while a reply streams, MessageText reads the text itself. */
  message: StoredMessage;
  /** It follows a message of the same sender: no avatar and name. */
  isJoined: boolean;
  isTarget: boolean;
  isTabStop: boolean;
  /** The quoted message is directly above. */
  hidesQuote?: boolean;
  /** It is the root message at the top of its thread. */
  isRoot?: boolean;
  /** Another version of it is to be shown, and is not loaded yet. */
  isLoadingVersion?: boolean;
}

/** A message: sender, quote, text, attachments, actions, reactions and send state. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { chat, message, isJoined, isTarget, isTabStop, hidesQuote, isRoot, isLoadingVersion = false } = props;
  const { username } = useSession();
  const [isPointed, setIsPointed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { sender, status } = message;
  const isOwn = sender.username === username;
  const row = useRef<HTMLElement>(null);
  const { isSelecting, isSelected, handlers } = useChoosing(message);
  const mayAct = !message.outbox && !isSelecting;
  // The actions go while their menu is open, whose end and whose pointer nothing then reports.
  if (isSelecting && (isPointed || isBusy)) {
    setIsPointed(false);
    setIsBusy(false);
  }
  const name = isOwn ? t('You') : shownName(sender);
  const label = t('{name}, {time}', { name, time: timeOf(message.created_at) });
  return (
    <article
      ref={row}
      className={classNames(
        styles['message'],
        isOwn && styles['own'],
        isJoined && styles['joined'],
        isTarget && styles['target'],
        isSelecting && styles['selecting'],
        isSelected && styles['selected'],
      )}
      data-message={message.id}
      data-status={message.outbox?.state ?? status}
      data-row
      tabIndex={isTabStop ? 0 : -1}
      aria-label={label}
      onPointerEnter={(event) => setIsPointed(event.pointerType === 'mouse' && !isSelecting)}
      onPointerLeave={() => setIsPointed(false)}
      // Only for keyboard focus: after a click the hovered message shows the actions, which may be another one.
      onFocus={({ target }) => setHasFocus(target.matches(':focus-visible'))}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setHasFocus(false);
      }}
      {...handlers}
    >
      {isSelecting && isSelectable(message) ? (
        <button
          type="button"
          role="checkbox"
          aria-checked={isSelected}
          aria-label={t('Select: {label}', { label })}
          tabIndex={isTabStop ? 0 : -1}
          className={styles['check']}
        >
          <CheckMark isChecked={isSelected} />
        </button>
      ) : null}
      {mayAct && hasTouch() ? <TouchActions row={row} chat={chat} message={message} isOwn={isOwn} /> : null}
      {isOwn ? null : <div className={styles['gutter']}>{isJoined ? null : <SenderAvatar sender={sender} />}</div>}
      <div className={styles['body']}>
        {isJoined && message.edited_at === undefined && message.via === undefined ? null : (
          <Head
            sender={sender}
            createdAt={message.created_at}
            editedAt={message.edited_at}
            via={message.via?.name}
            isNamed={!isOwn && !isJoined}
            isTabStop={isTabStop}
          />
        )}
        <div className={styles['block']} title={isJoined ? fullTime(message.created_at) : undefined}>
          {message.forwarded_from ? (
            <p className={styles['forwarded']}>
              {t('Forwarded from {name}', { name: shownName(message.forwarded_from.sender) })}
            </p>
          ) : null}
          {message.schedule_id === undefined ? null : <p className={styles['forwarded']}>{t('Sent on a schedule')}</p>}
          {message.reply_to_id === null || hidesQuote ? null : (
            <Quote chat={chat} message={message} quotedId={message.reply_to_id} />
          )}
          {message.poll ? (
            <Suspense fallback={<p dir="auto">{message.content}</p>}>
              <Poll key={message.key} chat={chat} message={message} poll={message.poll} />
            </Suspense>
          ) : message.decision ? (
            <DecisionView key={message.key} chat={chat} message={message} decision={message.decision} />
          ) : (
            <MessageText key={message.key} chat={chat} message={message} />
          )}
          <SubmittedValues chat={chat} message={message} />
          <Attachments message={message} />
          {message.reminder_of ? <ReminderLink message={message} place={message.reminder_of} /> : null}
          {message.link_preview ? <LinkPreview message={message} preview={message.link_preview} isOwn={isOwn} /> : null}
          {isOwn ? <MessageTicks chat={chat} message={message} /> : null}
          {(isPointed || hasFocus || isBusy) && mayAct ? (
            <MessageActions chat={chat} message={message} isOwn={isOwn} isJoined={isJoined} onBusy={setIsBusy} />
          ) : null}
        </div>
        {message.outbox || (status === 'complete' && !isCutOff(message)) ? null : (
          <ReplyActions key={message.key} chat={chat} message={message} />
        )}
        {isOwn && message.edited_at !== undefined ? <AnswerAgain chat={chat} message={message} /> : null}
        {isRoot || !message.versions ? null : (
          <Suspense fallback={null}>
            <VersionSwitch chat={chat} message={message} isLoading={isLoadingVersion} />
          </Suspense>
        )}
        {mayBeInChain(message) ? (
          <Suspense fallback={null}>
            <ChainLine message={message} />
          </Suspense>
        ) : null}
        <Reactions message={message} />
        {isRoot ? null : <ThreadLink chatId={chat.id} channelId={message.channel_id} id={message.id} />}
        {isRoot
          ? null
          : message.versions?.ids.map((id, at) =>
              id === message.id ? null : (
                <ThreadLink key={id} chatId={chat.id} channelId={message.channel_id} id={id} version={at + 1} />
              ),
            )}
        <SendFailure message={message} />
      </div>
    </article>
  );
});

/** The name beside it opens the profile for keys and screen readers too. */
const SenderAvatar = memo(function SenderAvatar({ sender }: { sender: Account }) {
  const open = useProfileOf(sender);
  return (
    <span className={open && classNames('ui-press', styles['face'])} onClick={open}>
      <Avatar
        name={sender.display_name}
        username={sender.username}
        kind={sender.kind}
        url={sender.avatar_url}
        size={36}
      />
    </span>
  );
});

/** Opens the sender's profile, where there are profiles. Behind a webhook there is nobody. */
function useProfileOf(sender: Account): (() => void) | undefined {
  const open = useOpenProfile();
  return open && !isWebhook(sender) ? () => open(sender.username) : undefined;
}

interface HeadProps {
  sender: Account;
  createdAt: string;
  editedAt: string | undefined;
  /** The access token with which a program wrote it. */
  via: string | undefined;
  isNamed: boolean;
  isTabStop: boolean;
}

const Head = memo(function Head({ sender, createdAt, editedAt, via, isNamed, isTabStop }: HeadProps) {
  const open = useProfileOf(sender);
  return (
    <p className={styles['head']}>
      {!isNamed ? null : open ? (
        <button
          type="button"
          className={classNames(styles['name'], 'ui-words ui-underline')}
          tabIndex={isTabStop ? 0 : -1}
          aria-haspopup="dialog"
          onClick={open}
        >
          {shownName(sender)}
        </button>
      ) : (
        <span className={styles['name']}>{shownName(sender)}</span>
      )}
      {sender.kind === 'agent' && isNamed ? (
        <span className={styles['kind']}>{isWebhook(sender) ? t('webhook') : t('agent')}</span>
      ) : null}
      {via === undefined ? null : (
        <span className={classNames(styles['kind'], 'ui-words')}>{t('via {name}', { name: via })}</span>
      )}
      <time dateTime={createdAt} title={fullTime(createdAt)}>
        {timeOf(createdAt)}
      </time>
      {editedAt ? <span title={fullTime(editedAt)}>{t('edited')}</span> : null}
    </p>
  );
});

/** Shows a thread's number of replies and opens it. */
const ThreadLink = memo(function ThreadLink({
  chatId,
  channelId,
  id,
  version,
}: {
  chatId: string;
  channelId: string | null;
  id: string;
  /** The number of the version that it is about, if another one is shown. */
  version?: number;
}) {
  const navigate = useNavigate();
  const { store } = useSession();
  const thread = useCell(store.thread(id));
  if (!thread || thread.count === 0) return null;
  const open = () => navigate(chatRoute(chatId, { channelId, threadRootId: id }));
  return (
    <button type="button" className={styles['thread']} onClick={open}>
      <MessagesSquare aria-hidden />
      {version === undefined
        ? t('{count, plural, one {# reply} other {# replies}}', { count: thread.count })
        : t('{count, plural, one {# reply} other {# replies}} to version {version}', { count: thread.count, version })}
    </button>
  );
});
