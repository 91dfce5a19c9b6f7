import type { Chat, StoredMessage } from '@parley/client/store';
import { folded } from '@parley/protocol/folded';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { ChatAvatar, SavedAvatar } from '../../chats/chat/chat-avatar.tsx';
import { chatTitle, isSavedMessages, partnerOf } from '../../chats/chat/chat-title.ts';
import { useFoundChats } from '../../chats/chat/use-found-chats.ts';
import { usePeopleSearch } from '../../chats/people/use-people-search.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckMark } from '../../ui/check-mark.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import styles from './dialogs.module.css';
import { shownName } from '../../words/shown-name.ts';
import { MAX_TARGETS, type Target, useForward } from './use-forward.ts';
import { t } from '../../words/t.ts';

const SAVED = t('Saved messages');
/** Maximum conversations listed; others are found by name. */
const MAX_SHOWN = 50;

const keyOf = ({ id, username }: Target): string => id ?? username ?? SAVED;

interface ForwardDialogProps {
  /** At least one, at most 100. */
  messages: readonly StoredMessage[];
  /** Called after all were forwarded, before the dialog closes. */
  onDone?: () => void;
  onClose: () => void;
}

/** Chooses the conversations to forward messages to; saved messages come first. */
export default function ForwardDialog({ messages, onDone, onClose }: ForwardDialogProps) {
  const navigate = useNavigate();
  const { store, username } = useSession();
  const [search, setSearch] = useState('');
  const [checked, setChecked] = useState<ReadonlyMap<string, Target>>(new Map());
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const { chats, error: notFound } = useFoundChats(search, MAX_SHOWN);
  const { forward, isBusy, error } = useForward(messages);
  const wanted = folded(search.trim());
  const { ids } = useCell(store.chats);
  const saved = ids.map((id) => store.chat(id).get()).find((chat) => chat && isSavedMessages(chat));
  const targetOf = (chat: Chat): Target => ({ id: chat.id, title: chatTitle(chat, username) });
  // Saved messages may not exist yet.
  const toSaved: Target = { id: saved?.id ?? null, title: SAVED };
  // With whom there is no chat yet.
  const { value: people = [] } = usePeopleSearch(search, { toChat: true });
  const partners = new Set(
    ids.flatMap((id) => {
      const chat = store.chat(id).get();
      return chat?.kind === 'direct' && !chat.is_separate ? partnerOf(chat, username)?.username : [];
    }),
  );
  const strangers = people.filter((one) => one.username !== username && !partners.has(one.username));
  const shown = [
    ...(folded(SAVED).includes(wanted) ? [{ target: toSaved, picture: <SavedAvatar size={36} /> }] : []),
    ...chats
      .filter((chat) => !isSavedMessages(chat))
      .map((chat) => ({ target: targetOf(chat), picture: <ChatAvatar chat={chat} size={36} /> })),
    ...strangers.map((one) => ({
      target: { id: null, username: one.username, title: shownName(one) },
      picture: (
        <Avatar name={one.display_name} username={one.username} kind={one.kind} url={one.avatar_url} size={36} />
      ),
    })),
  ];

  function toggle(target: Target) {
    setChecked((before) => {
      const next = new Map(before);
      if (!next.delete(keyOf(target)) && next.size < MAX_TARGETS) next.set(keyOf(target), target);
      return next;
    });
  }

  async function send(targets: readonly Target[]) {
    const { failed, sent } = await forward(targets);
    setChecked(new Map(failed.map((target) => [keyOf(target), target])));
    const [only] = sent;
    if (failed.length > 0) return;
    onDone?.();
    onClose();
    if (targets.length === 1 && only !== undefined) navigate(chatRoute(only));
  }

  /** With nothing checked, Enter forwards to the first one; otherwise it checks the first one that was searched for. */
  function enter() {
    const [first] = shown;
    if (checked.size > 0 && wanted === '') void send([...checked.values()]);
    else if (checked.size === 0 && first) void send([first.target]);
    else if (first) {
      toggle(first.target);
      setSearch('');
    }
  }

  /** The arrow keys move through the list, also from the search field. */
  function move(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    if (at + step < 0) field.current?.focus();
    else buttons[Math.min(buttons.length - 1, at + step)]?.focus();
  }

  return (
    <Dialog
      title={t('Forward to')}
      isOpen
      onClose={onClose}
      footer={
        <Button
          look="primary"
          isBusy={isBusy}
          disabled={checked.size === 0}
          onClick={() => void send([...checked.values()])}
        >
          {checked.size > 1 ? t('Forward to {count, number}', { count: checked.size }) : t('Forward')}
        </Button>
      }
    >
      <div className={styles['choice']} onKeyDown={move} role="presentation">
        <input
          ref={field}
          className={styles['search']}
          type="search"
          placeholder={t('Search conversations')}
          aria-label={t('Search conversations')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            event.preventDefault();
            if (!isBusy) enter();
          }}
        />
        <div ref={list} className={styles['chats']} role="group" aria-label={t('Conversations')}>
          {shown.map(({ target, picture }) => {
            const isChecked = checked.has(keyOf(target));
            return (
              <button
                key={keyOf(target)}
                type="button"
                className="ui-hover"
                role="checkbox"
                aria-checked={isChecked}
                disabled={isBusy || (!isChecked && checked.size === MAX_TARGETS)}
                onClick={() => toggle(target)}
              >
                {picture}
                <span className={styles['name']}>{target.title}</span>
                <CheckMark isChecked={isChecked} />
              </button>
            );
          })}
          {shown.length === 0 ? <p className="ui-soft">{t('No conversation found. Try another name.')}</p> : null}
        </div>
        <p className={styles['error']} role="alert">
          {error ?? notFound}
        </p>
      </div>
    </Dialog>
  );
}
