import { X } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useRoute } from '../browser/navigation.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { useSignal } from '../composer/composing/composing.ts';
import { enablePush, pushState } from '../notifications/push.ts';
import { useSession } from '../session/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import styles from './notification-offer.module.css';
import { t } from '../words/t.ts';

/** localStorage key: the offer was answered in this browser. */
const ANSWERED = 'parley.push-offer-answered';

/** Offers notifications once, after the first message that is sent from this page (WEB-338). */
export default function NotificationOffer() {
  const route = useRoute();
  const { client } = useSession();
  const [vapidKey, setVapidKey] = useState<string | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();

  const look = useCallback(async () => {
    if (localStorage.getItem(ANSWERED) !== null) return;
    const { vapid_public_key } = await client.call('getNotificationPrefs');
    if (vapid_public_key !== undefined && (await pushState(vapid_public_key)) === 'to-be-asked')
      setVapidKey(vapid_public_key);
  }, [client]);
  const onSent = useCallback(() => void look().catch(() => undefined), [look]);
  const isChat = route.name === 'chat';
  useSignal(
    'sent',
    { chat_id: isChat ? route.chatId : '', channel_id: isChat ? route.channelId : null, thread_root_id: null },
    onSent,
  );

  function answer() {
    localStorage.setItem(ANSWERED, '1');
    setVapidKey(null);
  }
  async function accept(key: string) {
    const isOn = await submit(
      () => enablePush({ client, vapidKey: key }),
      () => ({ field: null, text: t('Your browser didn’t allow it. You can turn it on in Settings → Notifications.') }),
    );
    if (isOn) answer();
  }

  if (vapidKey === null) return null;
  return (
    <div className={styles['offer']} role="status">
      <span>{t('Get notified when somebody answers?')}</span>
      <Button size="small" look="primary" isBusy={isBusy} onClick={() => void accept(vapidKey)}>
        {t('Turn on')}
      </Button>
      <IconButton label={t('Not now')} icon={<X />} onClick={answer} />
      <Problem text={errorBut()} />
    </div>
  );
}
