import type { DeviceNotifPref } from '@parley/protocol';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Problem } from '../ui/states/problem.tsx';
import { Spinner } from '../ui/states/spinner.tsx';
import { Switch } from '../ui/forms/switch.tsx';
import { disablePush, enablePush, isIos, type PushState, pushState } from './push.ts';
import { t } from '../words/t.ts';

interface PushSwitchProps {
  /** The service's key for Web Push; undefined if it sends none. */
  vapidKey: string | undefined;
  device: DeviceNotifPref;
  onDevice: (device: DeviceNotifPref) => void;
}

/** Why notifications cannot be turned on here. */
const reasons: Readonly<Partial<Record<PushState, string>>> = {
  'not-secure': t('Notifications only work over https. Open Parley with an https address.'),
  'to-be-installed': t(
    'On this device, add Parley to the home screen first: Share, then “Add to Home Screen”. Then open it from there.',
  ),
  'not-supported': t('This browser can’t show notifications while the app is closed.'),
  denied: isIos()
    ? t(
        'Your browser blocks notifications from Parley. Allow them in your device’s Settings under Notifications → Parley, then come back.',
      )
    : t(
        'Your browser blocks notifications from Parley. Allow them with the symbol beside the page’s address, then come back.',
      ),
};

const WHAT = t('Get notified of new messages while the app is closed or in the background.');
/** Where the service sends no pushes. */
const WHAT_WHILE_OPEN = t(
  'Get notified of new messages while Parley is open in the background. This service sends nothing while it is closed.',
);
const permissions: Readonly<Partial<Record<PushState, string>>> = {
  'to-be-asked': t('Your browser asks for permission when you turn this on.'),
  off: t('Your browser allows notifications from Parley.'),
  'while-open': t('Keep a page of Parley open: this browser is not told anything while all are closed.'),
  on: t('Your browser allows notifications from Parley. You can change that in its settings for this site.'),
};

const refusal = (): string =>
  Notification.permission === 'default'
    ? t('You haven’t allowed notifications yet. Turn this on again to be asked once more.')
    : t('Your browser didn’t allow it.');

/** Turns push notifications on this device on or off. */
export function PushSwitch({ vapidKey, device, onDevice }: PushSwitchProps) {
  const { client } = useSession();
  const [state, setState] = useState<PushState | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const look = useRef<() => void>(() => undefined);

  useEffect(() => {
    let isCurrent = true;
    const lookNow = () => void pushState(vapidKey).then((found) => isCurrent && setState(found));
    look.current = lookNow;
    lookNow();
    // Check again: the permission may have changed in the browser's settings.
    addEventListener('focus', lookNow);
    return () => {
      isCurrent = false;
      removeEventListener('focus', lookNow);
    };
  }, [vapidKey]);

  const change = (isOn: boolean) =>
    submit(
      async () => {
        if (isOn) await enablePush({ client, vapidKey });
        else await disablePush(client);
        // One switch for both the browser's subscription and the service's preference for this device.
        if (isOn && !device.enabled) onDevice({ ...device, enabled: true });
        setState(await pushState(vapidKey));
      },
      (error) => {
        look.current();
        if (!(error instanceof DOMException)) return null;
        const isRefused = error.name === 'NotAllowedError';
        return {
          field: null,
          text: isRefused ? refusal() : t('Your browser can’t reach its push service. Try again later.'),
        };
      },
    );

  if (state === null) return <Spinner label={t('Checking this browser')} />;
  const reason = reasons[state];
  return (
    <>
      <Switch
        label={t('Notifications on this device')}
        hint={
          <span role="status">
            {isBusy
              ? t('One moment …')
              : (reason ?? `${vapidKey === undefined ? WHAT_WHILE_OPEN : WHAT} ${permissions[state] ?? ''}`)}
          </span>
        }
        isOn={(state === 'on' || state === 'while-open') && device.enabled}
        isDisabled={reason !== undefined || isBusy}
        onChange={(isOn) => void change(isOn)}
      />
      <Problem text={errorBut()} />
    </>
  );
}
