import type { Client, ClientEvents } from '@parley/client';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { chatRoute } from '../browser/route.ts';
import { useSession } from '../session/session.ts';
import { Toast } from '../ui/overlays/toast.tsx';
import { errorText } from '../words/error-text.ts';
import { t } from '../words/t.ts';

type Refused = ClientEvents['changeRefused'];

/** Says which changes, made without a connection, the service has refused. Of others their own button says it. */
export function RefusedChanges() {
  const { client } = useSession();
  const navigate = useNavigate();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  useEffect(() => {
    const late = new Set(waitingIn(client));
    const ends = [
      client.onState(() => {
        for (const id of waitingIn(client)) late.add(id);
      }),
      client.on('changeRefused', (one) => {
        // A marker is refused if its message was deleted.
        if (late.delete(one.client_msg_id) && one.change.name !== 'markRead') setRefused((all) => [...all, one]);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
  return refused.slice(-3).map((one) => {
    const dismiss = () => setRefused((all) => all.filter((other) => other !== one));
    return (
      <Toast
        key={one.client_msg_id}
        icon={<CircleAlert />}
        level="error"
        title={titleOf(one)}
        text={errorText(one.error)}
        onDismiss={dismiss}
        onOpen={() => {
          dismiss();
          navigate(chatRoute(one.chat_id));
        }}
      />
    );
  });
}

const waitingIn = ({ outbox }: Client): string[] => outbox.changes.get().map(({ client_msg_id }) => client_msg_id);

function titleOf({ change: { name } }: Refused): string {
  if (name === 'editMessage') return t('Your edit was not made');
  return name === 'deleteMessages' ? t('Your deletion was not made') : t('Your reaction was not made');
}
