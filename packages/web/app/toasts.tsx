import type { StoredAlert } from '@parley/client/store';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { useRoute } from '../browser/navigation.ts';
import { usePage } from '../browser/page.ts';
import { useSession } from '../session/session.ts';
import styles from '../ui/overlays/toasts.module.css';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

const AlertToast = lazy(async () => import('./alert-toast.tsx'));

/** Toasts in the corner: alerts from the service and from agents, and the children. */
export function Toasts({ children }: { children: ReactNode }) {
  const { store, looks, providerWords } = useSession();
  const route = useRoute();
  const { beside } = usePage();
  // A failed reply shows its own reason: skip its alert while the reply is on the screen (WEB-60).
  const isSeen = ({ message_id }: StoredAlert): boolean => {
    const reply = message_id === undefined ? undefined : store.message(message_id).get();
    // A version that failed is not shown if another one is current.
    if (reply === undefined || (reply.versions && looks.shownIn(reply) !== reply.id)) return false;
    if (route.name !== 'chat') return reply.conversation_id === beside.chatId && reply.thread_root_id === null;
    return (
      reply.conversation_id === route.chatId &&
      reply.channel_id === route.channelId &&
      (reply.thread_root_id === null || reply.thread_root_id === route.threadRootId)
    );
  };
  const all = useCell(store.alerts);
  const seen = all.filter(isSeen);
  // The note of the reply shows them too, also after its alert is gone.
  useEffect(() => {
    for (const { message_id, details } of all)
      if (message_id !== undefined && details !== undefined) providerWords.keep(message_id, details);
  }, [all, providerWords]);
  // Dismiss skipped alerts: they would appear when the user opens another conversation.
  useEffect(() => {
    for (const { id } of seen) store.dismissAlert(id);
  });
  return (
    <section className={styles['toasts']} aria-label={t('Alerts')} aria-live="polite">
      {all
        .filter((alert) => !seen.includes(alert))
        .slice(-4)
        .map((alert) => (
          <Suspense key={alert.id} fallback={null}>
            <AlertToast alert={alert} />
          </Suspense>
        ))}
      {children}
    </section>
  );
}
