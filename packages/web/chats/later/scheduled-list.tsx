import { ApiError } from '@parley/client';
import type { Chat } from '@parley/client/store';
import type { Reminder, ScheduledMessage } from '@parley/protocol';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession, useStore } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { refusalText } from '../../words/error-text.ts';
import { listOf } from '../../words/list-of.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import { ScheduleItem } from './schedule-item.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import { knownNames } from '../chat/known-names.ts';
import { plainLine } from '../chat/preview.ts';
import styles from './later.module.css';

const WhenDialog = lazy(async () => import('./when-dialog.tsx'));

interface ScheduledListProps {
  /** The conversation; null for all of them, also those that the user has left. */
  chat: Chat | null;
  /** Shown if nothing is scheduled, once that is known. */
  empty?: ReactNode;
  /** Called when an item leads to another page. */
  onLeave?: () => void;
}

/** What the user has scheduled, in a conversation or in all: messages, reminders and what repeats. */
export function ScheduledList({ chat, empty = null, onLeave }: ScheduledListProps) {
  const store = useStore();
  const { errorBut, submit } = useSubmit();
  const [isLoaded, setIsLoaded] = useState(false);
  const load = useCallback(
    () =>
      void submit(async () => {
        await store.loadScheduled();
        setIsLoaded(true);
      }),
    [store, submit],
  );
  useEffect(load, [load]);
  const scheduled = useCell(store.scheduled);
  const isHere = ({ chat_id }: { chat_id: string }) => chat === null || chat_id === chat.id;
  const messages = scheduled.messages.filter(isHere);
  const reminders = scheduled.reminders.filter(isHere);
  const schedules = scheduled.schedules.filter(isHere);
  const reminded = reminders.map(({ message_id }) => message_id).join(' ');
  useEffect(() => {
    // A message that cannot be loaded is listed without its text.
    if (reminded !== '') store.loadMessages(reminded.split(' ')).catch(() => undefined);
  }, [store, reminded]);
  const error = errorBut();
  if (messages.length + reminders.length + schedules.length === 0 && error === null) return isLoaded ? empty : null;
  const list = (
    <>
      <ul className="ui-stack">
        {messages.map((message) => (
          <MessageItem key={message.id} message={message} isNamed={chat === null} />
        ))}
        {reminders.map((reminder) => (
          <ReminderItem key={reminder.id} reminder={reminder} isNamed={chat === null} onLeave={onLeave} />
        ))}
        {schedules.map((schedule) => (
          <ScheduleItem
            key={schedule.id}
            schedule={schedule}
            where={chat === null ? <Where chatId={schedule.chat_id} /> : null}
          />
        ))}
      </ul>
      <Problem text={error} onRetry={load} />
    </>
  );
  return chat === null ? (
    list
  ) : (
    <Section level={3} title={t('Scheduled')}>
      {list}
    </Section>
  );
}

/** The title of an item's conversation. */
function Where({ chatId }: { chatId: string }) {
  const { client, store, username } = useSession();
  const chat = useCell(store.chat(chatId));
  const [hasLeft, setHasLeft] = useState(false);
  const isKnown = chat !== undefined;
  useEffect(() => {
    if (isKnown) return;
    client.call('getChat', { chat_id: chatId }).then(
      (loaded) => store.putChat(loaded),
      (error: unknown) => setHasLeft(error instanceof ApiError && (error.status === 403 || error.status === 404)),
    );
  }, [client, store, chatId, isKnown]);
  if (chat)
    return (
      <p className={styles['where']} dir="auto">
        {chatTitle(chat, username)}
      </p>
    );
  return hasLeft ? <p className={styles['where']}>{t('A conversation you’re no longer in')}</p> : null;
}

function MessageItem({ message, isNamed }: { message: ScheduledMessage; isNamed: boolean }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const [asking, setAsking] = useState<'time' | 'deletion' | null>(null);
  const close = () => setAsking(null);
  const { chat_id, id: scheduled_id, text, attachments, send_at, failed } = message;
  const place = { chat_id, scheduled_id };
  return (
    <li className="ui-card ui-flush">
      {isNamed ? <Where chatId={chat_id} /> : null}
      <p className={styles['text']} dir="auto">
        {text === '' ? listOf(attachments.map(({ name }) => name ?? t('File'))) : text}
      </p>
      {failed === undefined ? (
        <time className="ui-note" dateTime={send_at}>
          {t('To be sent: {time}', { time: untilTime(send_at) })}
        </time>
      ) : (
        <p className={styles['failed']}>
          {t('This wasn’t sent. {reason} Change its time to try again.', {
            reason: refusalText(failed.code, failed.message),
          })}
        </p>
      )}
      <div className="ui-wrap">
        <Button
          size="small"
          isBusy={isBusy}
          onClick={() => void submit(() => client.call('sendScheduledMessage', place))}
        >
          {t('Send now')}
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => setAsking('time')}>
          {t('Change time')}
        </Button>
        <Button size="small" look="quiet" disabled={isBusy} onClick={() => setAsking('deletion')}>
          {t('Delete')}
        </Button>
      </div>
      <Problem text={errorBut()} />
      <Suspense fallback={null}>
        {asking === 'time' ? (
          <WhenDialog
            title={t('Change time')}
            action={t('Schedule')}
            onChoose={(at) => client.call('editScheduledMessage', { ...place, send_at: at.toISOString() })}
            onClose={close}
          />
        ) : null}
        {asking === 'deletion' ? (
          <Confirm
            title={t('Delete this scheduled message?')}
            text={t('It won’t be sent.')}
            action={t('Delete')}
            isDanger
            onConfirm={() => client.call('cancelScheduledMessage', place)}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </li>
  );
}

interface ReminderItemProps {
  reminder: Reminder;
  isNamed: boolean;
  onLeave: (() => void) | undefined;
}

function ReminderItem({ reminder, isNamed, onLeave }: ReminderItemProps) {
  const { client, store } = useSession();
  const navigate = useNavigate();
  const { isBusy, errorBut, submit } = useSubmit();
  const { id: reminder_id, chat_id, message_id, remind_at } = reminder;
  const message = useCell(store.message(message_id));
  return (
    <li className="ui-card ui-flush">
      {isNamed ? <Where chatId={chat_id} /> : null}
      {message ? (
        <p className={styles['text']} dir="auto">
          {plainLine(message, knownNames(store))}
        </p>
      ) : null}
      <time className="ui-note" dateTime={remind_at}>
        {t('Reminder: {time}', { time: untilTime(remind_at) })}
      </time>
      <div className="ui-wrap">
        {message ? (
          <Button
            size="small"
            onClick={() => {
              onLeave?.();
              navigate(
                chatRoute(chat_id, {
                  channelId: message.channel_id,
                  threadRootId: message.thread_root_id,
                  messageId: message_id,
                }),
              );
            }}
          >
            {t('Show message')}
          </Button>
        ) : null}
        <Button
          size="small"
          look="quiet"
          isBusy={isBusy}
          onClick={() => void submit(() => client.call('cancelReminder', { reminder_id }))}
        >
          {t('Delete')}
        </Button>
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}
