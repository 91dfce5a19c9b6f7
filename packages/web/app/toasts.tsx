import type { StoredAlert } from '@parley/client/store';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from './class-names.ts';
import { useRoute } from './route.ts';
import { useStore } from './session.ts';
import styles from './toasts.module.css';
import { useCell } from './use-cell.ts';

const SHOWN_MS = 7_000;
const icons = { info: Info, success: CircleCheck, error: CircleAlert } as const;

/** Alerts of the service and of agents, in a corner, until they are dismissed or time is up. */
export function Toasts() {
  const store = useStore();
  const route = useRoute();
  const chat = useCell(store.chat(route.name === 'chat' ? route.chatId : ''));
  // Why an agent has failed stands in its message, where one is looking.
  const isSeen = ({ level, from }: StoredAlert): boolean =>
    level === 'error' && chat !== undefined && chat.participants.some(({ username }) => username === from?.username);
  const alerts = useCell(store.alerts).filter((alert) => !isSeen(alert));
  return (
    <section className={styles['toasts']} aria-label="Alerts" aria-live="polite">
      {alerts.slice(-4).map((alert) => (
        <Toast key={alert.id} alert={alert} />
      ))}
    </section>
  );
}

function Toast({ alert }: { alert: StoredAlert }) {
  const store = useStore();
  const { id, title, text, level, from } = alert;
  useEffect(() => {
    const timer = setTimeout(() => store.dismissAlert(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [store, id]);
  const Icon = icons[level];
  const head = title ?? from?.display_name;
  return (
    <div className={classNames(styles['toast'], styles[level])}>
      <Icon className={styles['icon']} />
      <div className={styles['text']}>
        {head ? <p className={styles['title']}>{head}</p> : null}
        <p>{text}</p>
      </div>
      <button type="button" aria-label="Dismiss" onClick={() => store.dismissAlert(id)}>
        <X />
      </button>
    </div>
  );
}
