// The widget: one conversation in a frame on a page of another site (docs/WIDGET.md). May import: every room.
import { StoreProvider } from '@parley/react';
import { useState, useSyncExternalStore } from 'react';
import { ErrorBoundary } from '../app/error-boundary.tsx';
import { SessionState } from '../app/session-state.tsx';
import { framedPage } from '../browser/framed-page.ts';
import { PageContext } from '../browser/page.ts';
import { useEscape } from '../browser/use-escape.ts';
import { type Session, SessionContext } from '../session/session.ts';
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
  renewed: RenewedSession<Session>;
  /** The id of a conversation, or the username of an agent. */
  chat: string;
}

/** What is in the frame. While the panel is closed it only counts unread messages. */
export function Widget({ host, renewed, chat }: WidgetProps) {
  const state = useSyncExternalStore(renewed.subscribe, renewed.get);
  const isOpen = useSyncExternalStore(host.subscribe, host.isOpen);
  const [unread, setUnread] = useState(0);
  useButton(host, state, isOpen, state.kind === 'open' ? unread : 0);
  const close = (): void => host.post({ kind: 'close' });
  // Escape first belongs to what is in the conversation, such as a reply that it stops.
  useEscape((event) => void setTimeout(() => event.defaultPrevented || close()));
  const header = <WidgetHeader onClose={close} />;
  return (
    <div className={styles['widget']}>
      {state.kind === 'open' ? (
        // Opening the panel again tries again.
        <ErrorBoundary key={state.session.username} place={String(isOpen)} header={header}>
          <OpenSession session={state.session} wanted={chat} isOpen={isOpen} onUnread={setUnread} onClose={close} />
        </ErrorBoundary>
      ) : isOpen ? (
        <>
          {header}
          {state.kind === 'failed' ? (
            <NoToken onRetry={() => void renewed.renew()} />
          ) : (
            <EmptyState icon={<Spinner label={t('Loading the conversation')} />} title="" />
          )}
        </>
      ) : null}
    </div>
  );
}

interface OpenSessionProps {
  session: Session;
  wanted: string;
  isOpen: boolean;
  onUnread: (count: number) => void;
  onClose: () => void;
}

function OpenSession({ session, ...chat }: OpenSessionProps) {
  const [page] = useState(framedPage);
  return (
    <PageContext value={page}>
      <SessionContext value={session}>
        <StoreProvider store={session.store}>
          <SessionState>
            <WidgetChat page={page} {...chat} />
          </SessionState>
        </StoreProvider>
      </SessionContext>
    </PageContext>
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
