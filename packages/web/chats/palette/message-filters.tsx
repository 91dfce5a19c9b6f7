import type { Chat } from '@parley/client/store';
import { CalendarDays, MessageSquare, Paperclip, UserRound, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { dateOf, dayStart } from '../../words/times.ts';
import { chatTitle } from '../chat/chat-title.ts';
import { DateFilter } from './date-filter.tsx';
import { KindFilter, kindTexts } from './kind-filter.tsx';
import styles from './message-filters.module.css';
import { kindOf, type Modifier, type SearchText, withModifier, withOpenFrom, withoutModifier } from './search-text.ts';

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
  const kindButton = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState<'date' | 'kind' | null>(null);
  const toggle = (what: 'date' | 'kind') => setAsking(asking === what ? null : what);
  const set = (modifier: Modifier) => {
    setAsking(null);
    onTyped(withModifier(typed, modifier));
  };
  const { modifiers } = search;
  const from = modifiers.find(({ name }) => name === 'from');
  const has = modifiers.find(({ name }) => name === 'has');
  const kind = has && kindOf(has.value);
  const days = modifiers.filter(({ name }) => name !== 'from' && name !== 'has');
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
      {has && kind ? (
        <SetFilter text={kindTexts[kind]} onRemove={() => remove(has)} />
      ) : (
        <button
          ref={kindButton}
          type="button"
          className={styles['chip']}
          aria-expanded={asking === 'kind'}
          onClick={() => toggle('kind')}
        >
          <Paperclip aria-hidden />
          {t('Contains')}
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
          aria-expanded={asking === 'date'}
          onClick={() => toggle('date')}
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
      {asking === 'date' ? (
        <DateFilter
          onChoose={set}
          onLeave={() => {
            setAsking(null);
            dateButton.current?.focus();
          }}
        />
      ) : asking === 'kind' ? (
        <KindFilter
          onChoose={(value) => set({ name: 'has', value })}
          onLeave={() => {
            setAsking(null);
            kindButton.current?.focus();
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
