import type { DeviceNotifPref, NotifPrefs } from '@parley/protocol';
import { useCallback } from 'react';
import { useSavedPrefs } from '../notifications/saved-prefs.ts';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Section } from '../ui/layout/section.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import { PushSwitch } from '../notifications/push-switch.tsx';
import styles from '../config/settings.module.css';
import { AccountPrefs } from './account-prefs.tsx';
import { t } from '../words/t.ts';

/** Notification preferences of the account and of this device. */
export function NotificationsPage() {
  const { client } = useSession();
  const load = useCallback(async () => client.call('getNotificationPrefs'), [client]);
  const prefs = useLoaded(load);
  const { errorBut, submit } = useSubmit();
  const saved = useSavedPrefs();
  return (
    <LoadedView loaded={prefs} label={t('Loading your preferences')}>
      {(value) => {
        // Optimistic: restored if the service refuses the change.
        const saveAccount = async (account: NotifPrefs) => {
          prefs.put({ ...value, account });
          if (await submit(() => client.call('setNotificationPrefs', account))) saved.publish({ ...value, account });
          else prefs.put(value);
        };
        const saveDevice = async (device: DeviceNotifPref) => {
          prefs.put({ ...value, device });
          if (await submit(() => client.call('setDeviceNotificationPrefs', device)))
            saved.publish({ ...value, device });
          else prefs.put(value);
        };
        return (
          <>
            <Section title={t('This device')}>
              <PushSwitch
                vapidKey={value.vapid_public_key}
                device={value.device}
                onDevice={(device) => void saveDevice(device)}
              />
              <Problem text={errorBut()} />
            </Section>
            <InAppPrefs
              prefs={value.device.in_app}
              onChange={(in_app) => void saveDevice({ ...value.device, in_app })}
            />
            <AccountPrefs prefs={value.account} onChange={(account) => void saveAccount(account)} />
          </>
        );
      }}
    </LoadedView>
  );
}

interface InAppProps {
  prefs: DeviceNotifPref['in_app'];
  onChange: (prefs: DeviceNotifPref['in_app']) => void;
}

function InAppPrefs({ prefs, onChange }: InAppProps) {
  return (
    <Section title={t('While Parley is open')} hint={t('For messages outside the open conversation, on this device.')}>
      <div className={styles['group']}>
        <Switch label={t('Play a sound')} isOn={prefs.sounds} onChange={(sounds) => onChange({ ...prefs, sounds })} />
        <Switch
          label={t('Vibrate')}
          hint={t('If your device supports it.')}
          isOn={prefs.vibrate}
          onChange={(vibrate) => onChange({ ...prefs, vibrate })}
        />
        <Switch
          label={t('Show a preview in the corner')}
          isOn={prefs.preview}
          onChange={(preview) => onChange({ ...prefs, preview })}
        />
      </div>
    </Section>
  );
}
