// The widget: one conversation in a frame on a page of another site (docs/WIDGET.md). May import: every room.
import { StoreProvider } from '@parley/react';
import { useState, useSyncExternalStore } from 'react';
import { ErrorBoundary } from '../app/error-boundary.tsx';
import { SessionState } from '../app/session-state.tsx';
import { useEscape } from '../browser/use-escape.ts';
import { SessionContext } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states/empty-state.tsx';
import { Spinner } from '../ui/states/spinner.tsx';
import { t } from '../words/t.ts';
import type { Host } from './host.ts';
import type { RenewedSession } from './renewed-session.ts';
import { useButton } from './use-button.ts';
import { WidgetChat } from './widget-chat.tsx';
import { WidgetHeader } from './widget-header.tsx';
import styles from './widget.module.css';

interface WidgetProps {
  host: Host;
  renewed: RenewedSession;
  /** The id of a conversation, or the username of an agent. */
  chat: string;
}

/** What is in the frame. While the panel is closed it only counts unread messages. */
export function Widget({ host, renewed, chat }: WidgetProps) {
  const { session, hasFailed } = useSyncExternalStore(renewed.subscribe, renewed.get);
  const isOpen = useSyncExternalStore(host.subscribe, host.isOpen);
  const [unread, setUnread] = useState(0);
  useButton(host, isOpen, unread);
  const close = (): void => host.post({ kind: 'close' });
  // Escape first belongs to what is in the conversation, such as a reply that it stops.
  useEscape((event) => void setTimeout(() => event.defaultPrevented || close()));
  return (
    <div className={styles['widget']}>
      {isOpen && !session ? <WidgetHeader onClose={close} /> : null}
      {hasFailed && isOpen ? <NoToken onRetry={() => void renewed.renew()} /> : null}
      {session ? (
        <SessionContext value={session}>
          <StoreProvider store={session.store}>
            <SessionState key={session.username}>
              <ErrorBoundary place="">
                <WidgetChat wanted={chat} isOpen={isOpen} onUnread={setUnread} onClose={close} />
              </ErrorBoundary>
            </SessionState>
          </StoreProvider>
        </SessionContext>
      ) : isOpen && !hasFailed ? (
        <EmptyState icon={<Spinner label={t('Loading the conversation')} />} title="" />
      ) : null}
    </div>
  );
}

function NoToken({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className={styles['failure']}>
      <p>{t('The chat can’t connect right now. It tries again by itself.')}</p>
      <Button size="small" onClick={onRetry}>
        {t('Try now')}
      </Button>
    </div>
  );
}
