import type { StoredAlert } from '@parley/client/store';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect } from 'react';
import { classNames } from './class-names.ts';
import { useStore } from './session.ts';
import styles from './toasts.module.css';
import { useCell } from './use-cell.ts';

const SHOWN_MS = 7_000;
const icons = { info: Info, success: CircleCheck, error: CircleAlert } as const;

/** Alerts of the service and of agents, in a corner, until they are dismissed or time is up. */
export function Toasts() {
  const alerts = useCell(useStore().alerts);
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
