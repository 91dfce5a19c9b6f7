// What a conversation holds: its media, files and links. May import: chats/chat and the rooms below chats.
import type { Chat } from '@parley/client/store';
import type { MediaKind, Message } from '@parley/protocol';
import { useEffect, useRef } from 'react';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Spinner } from '../../ui/states/spinner.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import styles from './chat-media.module.css';
import { FileList } from './file-list.tsx';
import { LinkList } from './link-list.tsx';
import { MediaGrid } from './media-grid.tsx';
import { useMediaPages } from './use-media-pages.ts';
import { t } from '../../words/t.ts';

interface ChatMediaProps {
  chat: Chat;
  kind: MediaKind;
}

const empty = {
  media: t('No photos or videos yet. Those that people send here appear in this tab.'),
  files: t('No files yet. Those that people send here appear in this tab.'),
  links: t('No links yet. Those that people send here appear in this tab.'),
} as const;
const lists = { media: MediaGrid, files: FileList, links: LinkList } as const;

/** The list of one kind, newest first, of which more loads as the reader scrolls. */
export default function ChatMedia({ chat, kind }: ChatMediaProps) {
  const { messages, hasMore, error, more } = useMediaPages(chat, kind);
  const List = lists[kind];
  return (
    <Stack>
      <List messages={messages} />
      {error === null ? null : <Problem text={error} onRetry={more} />}
      {hasMore && error === null ? <More onSeen={more} count={messages.length} /> : null}
      {!hasMore && messages.length === 0 ? <EmptyState title={empty[kind]} /> : null}
    </Stack>
  );
}

/** The end of what is loaded: asks for more when it is scrolled into view. */
function More({ onSeen, count }: { onSeen: () => void; count: number }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(), { rootMargin: '400px' });
    observer.observe(element);
    return () => observer.disconnect();
    // Observed again after each page: if it is still in view, the next page loads.
  }, [onSeen, count]);
  return (
    <div ref={end} className={styles['more']}>
      <Spinner />
    </div>
  );
}

export interface MediaListProps {
  messages: readonly Message[];
}
