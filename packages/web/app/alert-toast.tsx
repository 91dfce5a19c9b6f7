import type { StoredAlert } from '@parley/client/store';
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { ProviderSaid } from '../messages/message/provider-words.tsx';
import { useSession } from '../session/session.ts';
import { Toast } from '../ui/overlays/toast.tsx';
import { alertText } from '../words/alert-text.ts';

const icons = { info: Info, success: CircleCheck, error: CircleAlert } as const;

/** The service's own alerts are in the app's words, those of agents in theirs. */
export default function AlertToast({ alert }: { alert: StoredAlert }) {
  const { id, level, details } = alert;
  const { store, may } = useSession();
  const Icon = icons[level];
  const { title, heading, text } = alertText(alert, may('setAgentKey'));
  return (
    <Toast
      icon={<Icon />}
      level={level}
      title={title}
      heading={heading}
      text={text}
      onDismiss={() => store.dismissAlert(id)}
    >
      {details === undefined ? null : <ProviderSaid words={details} />}
    </Toast>
  );
}
