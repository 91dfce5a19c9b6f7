// The details panel of a conversation. May import: all other folders of chats except list and new-chat, and the rooms
// below chats.
import type { Chat } from '@parley/client/store';
import { X } from 'lucide-react';
import { type KeyboardEvent, lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useRoute } from '../../browser/navigation.ts';
import { useMedia } from '../../browser/use-media.ts';
import { IconButton } from '../../ui/button.tsx';
import { LazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { LoadingPage } from '../../ui/states/loading-page.tsx';
import styles from '../chat/details.module.css';
import { t } from '../../words/t.ts';

const LazyContent = lazy(async () => import('./details-content.tsx'));

interface DetailsProps {
  chat: Chat;
  onClose: () => void;
}

/** The details panel: beside the conversation, or over it on narrow screens. */
export function ChatDetails({ chat, onClose }: DetailsProps) {
  const isWide = useMedia('(min-width: 901px)');
  if (isWide) return <Panel chat={chat} onClose={onClose} />;
  return <Sheet chat={chat} onClose={onClose} />;
}

function Sheet({ chat, onClose }: DetailsProps) {
  const route = useRoute();
  const opened = useRef(route);
  const close = useEffectEvent(onClose);
  // Close after navigating from here, for example to a search hit, which the panel would cover.
  useEffect(() => {
    if (route !== opened.current) close();
  }, [route]);
  return (
    <LazyDialog title={t('Details')} isOpen onClose={onClose} shape="sheet">
      <Content chat={chat} onClose={onClose} />
    </LazyDialog>
  );
}

function Panel({ chat, onClose }: DetailsProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  };
  return (
    // Esc closes it wherever the focus is in it.
    <aside className={styles['panel']} aria-label={t('Details')} onKeyDown={onKey}>
      <header className={classNames(styles['header'], 'ui-header ui-panel-header')}>
        <h2 ref={heading} tabIndex={-1}>
          {t('Details')}
        </h2>
        <IconButton label={t('Close the details')} icon={<X />} onClick={onClose} />
      </header>
      <div className={styles['scroll']}>
        <Content chat={chat} onClose={onClose} />
      </div>
    </aside>
  );
}

/** Loads its script when first shown. */
const Content = (props: DetailsProps) => (
  <Suspense fallback={<LoadingPage label={t('Loading the details')} />}>
    <LazyContent {...props} />
  </Suspense>
);
