import { Dialog as Base } from '@base-ui/react/dialog';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useBackCloses } from '../../browser/overlays.ts';
import { useNavigate, useRoute } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useSoughtWords } from './sought-words.ts';
import { useCell } from '../../session/use-cell.ts';
import { isTouch } from '../../browser/touch.ts';
import { IconButton } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import { type PaletteItem, paletteGroups } from './palette-items.ts';
import { PaletteRow } from './palette-row.tsx';
import styles from './palette.module.css';
import { hitWords } from './snippet.ts';
import { useActiveOption } from '../../ui/use-active-option.ts';
import { useMessageSearch } from './use-message-search.ts';
import { usePeopleSearch } from '../people/use-people-search.ts';

interface PaletteProps {
  typed: string;
  onTyped: (typed: string) => void;
  onClose: () => void;
  /** The conversation to search in; the user can widen the search to all. */
  chatId?: string;
}

/** Searches conversations, people and messages, and opens what the user chooses. */
export default function PaletteDialog({ typed, onTyped: setTyped, onClose, chatId }: PaletteProps) {
  const navigate = useNavigate();
  const { client, store, username } = useSession();
  const route = useRoute();
  const soughtWords = useSoughtWords();
  const [scopeId, setScopeId] = useState(chatId ?? null);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useBackCloses(true, onClose);
  const hasChosen = useRef(false);
  const { ids, hasMore: hasMoreChats } = useCell(store.chats);
  const scope = useCell(store.chat(scopeId ?? ''));
  const openChat = useCell(store.chat(route.name === 'chat' ? route.chatId : ''));
  const people = usePeopleSearch(scopeId === null ? typed : '');
  const search = useMessageSearch(typed, scopeId);
  const isTyped = typed.trim() !== '';
  useEffect(() => {
    // Only loaded conversations can be found: load all pages.
    if (isTyped && hasMoreChats) void store.loadMoreChats();
  }, [store, isTyped, hasMoreChats, ids]);

  const groups = paletteGroups({
    typed,
    chats: ids.flatMap((id) => {
      const chat = store.chat(id).get();
      return chat ? [{ chat, title: chatTitle(chat, username) }] : [];
    }),
    people: isTyped ? (people.value ?? []) : [],
    hits: search.hits,
    hasMore: search.hasMore,
    isScoped: scopeId !== null,
    openChat: openChat ?? null,
  });
  const items = groups.flatMap((group) => group.items);

  function choose(key: string) {
    const item = items.find((one) => one.key === key);
    if (item) void open(item).catch(() => setProblem('Couldn’t open this conversation. Try again.'));
  }

  async function open(item: PaletteItem): Promise<void> {
    switch (item.kind) {
      case 'chat':
        hasChosen.current = true;
        navigate(chatRoute(item.chat.id));
        return onClose();
      case 'person': {
        const chat = await client.call('startChat', { username: item.person.username });
        store.putChat(chat);
        hasChosen.current = true;
        navigate(chatRoute(chat.id));
        return onClose();
      }
      case 'message': {
        const { id, conversation_id, channel_id, thread_root_id } = item.hit.message;
        soughtWords.set(id, hitWords(item.hit.snippet));
        navigate(chatRoute(conversation_id, { channelId: channel_id, threadRootId: thread_root_id, messageId: id }));
        return onClose();
      }
      case 'scope':
        setScopeId(item.chat.id);
        return input.current?.focus();
      case 'more':
        return search.loadMore();
      default:
        return item satisfies never;
    }
  }

  const { listId, activeKey, optionId, onPoint, onKey } = useActiveOption(
    items.map(({ key }) => key),
    choose,
  );
  const leaveScope = () => {
    setScopeId(null);
    input.current?.focus();
  };
  const hint =
    scope && !isTyped
      ? 'Type a word to find messages in this conversation.'
      : !isTyped
        ? 'No conversations yet.'
        : null;
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} forceRender />
        <Base.Popup
          className={styles['popup']}
          data-palette
          initialFocus={input}
          // After opening a conversation the composer gets the focus; otherwise the focus returns to where it was.
          finalFocus={() => !hasChosen.current || (isTouch() ? false : (composerField() ?? false))}
        >
          <Base.Title className={styles['hidden']}>Search</Base.Title>
          <div className={styles['head']}>
            <Search aria-hidden />
            {scope ? (
              <button
                type="button"
                className={styles['scope']}
                aria-label={`Search everywhere, not only in ${chatTitle(scope, username)}`}
                onClick={leaveScope}
              >
                <span>{chatTitle(scope, username)}</span>
                <X size={14} aria-hidden />
              </button>
            ) : null}
            <input
              ref={input}
              className={styles['input']}
              role="combobox"
              aria-label="Search"
              aria-expanded={items.length > 0}
              aria-controls={listId}
              aria-activedescendant={activeKey === null ? undefined : optionId(activeKey)}
              aria-autocomplete="list"
              placeholder={scope ? 'Words of a message' : 'Conversations, people, messages'}
              autoComplete="off"
              spellCheck={false}
              maxLength={80}
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                setProblem(null);
              }}
              onKeyDown={(event) => {
                if (!onKey(event) && event.key === 'Backspace' && typed === '' && scopeId !== null) leaveScope();
              }}
            />
            <IconButton label="Close" icon={<X />} onClick={onClose} />
          </div>
          <div className={styles['list']}>
            <div id={listId} role="listbox" aria-label="Results">
              {groups.map((group) => (
                <div key={group.title} role="group" aria-label={group.title}>
                  <p className={styles['group']}>
                    {group.title}
                    <HitCount items={group.items} />
                  </p>
                  {group.items.map((item) => (
                    <div
                      key={item.key}
                      id={optionId(item.key)}
                      role="option"
                      tabIndex={-1}
                      aria-selected={item.key === activeKey}
                      data-active={item.key === activeKey || undefined}
                      className={styles['row']}
                      onPointerMove={(event) => onPoint(item.key, event)}
                      onPointerDown={(event) => event.preventDefault()}
                      onClick={() => choose(item.key)}
                    >
                      <PaletteRow item={item} isScoped={scopeId !== null} />
                    </div>
                  ))}
                </div>
              ))}
            </div>
            <Problem text={problem} />
            <Problem text={search.error} onRetry={search.reload} />
            <div className={items.length > 0 && !search.isLoading ? styles['hidden'] : styles['note']} role="status">
              {search.isLoading ? (
                <Spinner label="Searching messages" />
              ) : items.length === 0 && search.error === null ? (
                (hint ?? `Nothing found for “${typed.trim()}”.`)
              ) : (
                `${items.length} found`
              )}
            </div>
          </div>
          <p className={styles['foot']}>
            <span>
              <kbd>↑ ↓</kbd> choose
            </span>
            <span>
              <kbd>Enter</kbd> open
            </span>
            <span>
              <kbd>Esc</kbd> close
            </span>
          </p>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const composerField = (): HTMLElement | null => document.querySelector('[data-composer=timeline] textarea');

/** The number of messages found so far. */
function HitCount({ items }: { items: readonly PaletteItem[] }) {
  const count = items.filter(({ kind }) => kind === 'message').length;
  const hasMore = items.some(({ kind }) => kind === 'more');
  return count === 0 ? null : ` · ${count}${hasMore ? ' and more' : ''}`;
}
