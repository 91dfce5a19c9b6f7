import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSubmit } from '../calls/use-submit.ts';
import { enablePush, pushState } from '../notifications/push.ts';
import { useSession } from '../session/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Problem } from '../ui/states/problem.tsx';
import styles from './notification-offer.module.css';
import { t } from '../words/t.ts';

/** localStorage key: the offer was answered in this browser. */
const ANSWERED = 'parley.push-offer-answered';

/** Offers notifications once. Mounted with the first message that is sent from this page (WEB-338). */
export default function NotificationOffer() {
  const { client } = useSession();
  const [vapidKey, setVapidKey] = useState<string | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();

  useEffect(() => {
    let isCurrent = true;
    async function look() {
      if (localStorage.getItem(ANSWERED) !== null) return;
      const { vapid_public_key: key } = await client.call('getNotificationPrefs');
      if (key !== undefined && (await pushState(key)) === 'to-be-asked' && isCurrent) setVapidKey(key);
    }
    void look().catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [client]);

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
