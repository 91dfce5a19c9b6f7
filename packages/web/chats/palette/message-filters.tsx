import type { Chat } from '@parley/client/store';
import { CalendarDays, MessageSquare, UserRound, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { dateOf, dayStart } from '../../words/times.ts';
import { chatTitle } from '../chat/chat-title.ts';
import { DateFilter } from './date-filter.tsx';
import styles from './message-filters.module.css';
import { type Modifier, type SearchText, withModifier, withOpenFrom, withoutModifier } from './search-text.ts';

interface MessageFiltersProps {
  typed: string;
  search: SearchText;
  /** The conversation that the search is limited to. */
  scope: Chat | undefined;
  /** The open conversation, to which the search can be limited. */
  openChat: Chat | null;
  onTyped: (typed: string) => void;
  onScope: (chatId: string | null) => void;
}

/** The filters of the message search as buttons: one for each that is set, which removes it, and one for each that can be set. */
export function MessageFilters({ typed, search, scope, openChat, onTyped, onScope }: MessageFiltersProps) {
  const { username } = useSession();
  const dateButton = useRef<HTMLButtonElement>(null);
  const [isAskingDate, setIsAskingDate] = useState(false);
  const { modifiers } = search;
  const from = modifiers.find(({ name }) => name === 'from');
  const days = modifiers.filter(({ name }) => name !== 'from');
  const remove = ({ name }: Modifier) => onTyped(withoutModifier(typed, name));
  return (
    <div className={styles['filters']} role="group" aria-label={t('Filter messages')}>
      {from ? (
        <FromFilter username={from.value} onRemove={() => remove(from)} />
      ) : (
        <button type="button" className={styles['chip']} onClick={() => onTyped(withOpenFrom(typed))}>
          <UserRound aria-hidden />
          {t('From')}
        </button>
      )}
      {days.map((day) => (
        <SetFilter key={day.name} text={dateText(day)} onRemove={() => remove(day)} />
      ))}
      {days.length > 1 || days[0]?.name === 'on' ? null : (
        <button
          ref={dateButton}
          type="button"
          className={styles['chip']}
          aria-expanded={isAskingDate}
          onClick={() => setIsAskingDate(!isAskingDate)}
        >
          <CalendarDays aria-hidden />
          {t('Date')}
        </button>
      )}
      {scope ? (
        <SetFilter text={t('In {title}', { title: chatTitle(scope, username) })} onRemove={() => onScope(null)} />
      ) : openChat ? (
        <button type="button" className={styles['chip']} onClick={() => onScope(openChat.id)}>
          <MessageSquare aria-hidden />
          {t('In this chat')}
        </button>
      ) : null}
      {isAskingDate ? (
        <DateFilter
          onChoose={(day) => {
            setIsAskingDate(false);
            onTyped(withModifier(typed, day));
          }}
          onLeave={() => {
            setIsAskingDate(false);
            dateButton.current?.focus();
          }}
        />
      ) : null}
    </div>
  );
}

function FromFilter({ username, onRemove }: { username: string; onRemove: () => void }) {
  const session = useSession();
  const account = useCell(session.store.account(username));
  const isMe = username === session.username;
  const name = account ? shownName(account) : handleOf(username);
  return <SetFilter text={isMe ? t('From you') : t('From {name}', { name })} onRemove={onRemove} />;
}

function SetFilter({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <button
      type="button"
      className={styles['chip']}
      data-set
      aria-label={t('Remove the filter “{filter}”', { filter: text })}
      onClick={onRemove}
    >
      <span dir="auto">{text}</span>
      <X aria-hidden />
    </button>
  );
}

/** A limit of days, as the reader's locale writes it. */
function dateText({ name, value }: Modifier): string {
  // The parser lets only days through.
  const date = dateOf((dayStart(value) ?? new Date()).toISOString());
  if (name === 'before') return t('Before {date}', { date });
  return name === 'after' ? t('After {date}', { date }) : t('On {date}', { date });
}
