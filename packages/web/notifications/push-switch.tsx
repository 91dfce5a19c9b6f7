import type { DeviceNotifPref } from '@parley/protocol';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../session/session.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { Problem } from '../ui/problem.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Switch } from '../ui/switch.tsx';
import { disablePush, enablePush, isIos, type PushState, pushState } from './push.ts';

interface PushSwitchProps {
  /** Where the service sends Web Push at all. */
  vapidKey: string | undefined;
  device: DeviceNotifPref;
  onDevice: (device: DeviceNotifPref) => void;
}

/** Why it cannot be turned on here. */
const reasons: Readonly<Partial<Record<PushState, string>>> = {
  'not secure': 'This browser only notifies for pages that are opened over https.',
  'to be installed':
    'On this device, add Parley to the home screen first: Share, then “Add to Home Screen”. Then open it from there.',
  'not supported': 'This browser cannot notify while the app is closed.',
  'not configured': 'This service does not send notifications. Ask the people who run it to turn them on.',
  denied: `This browser blocks notifications from here. ${
    isIos()
      ? 'Allow them in the device’s Settings, under Notifications and Parley, and come back.'
      : 'Allow them at the symbol beside the page’s address, under Notifications, and come back.'
  }`,
};

const WHAT = 'Of new messages, while the app is closed or in the background.';
const permissions: Readonly<Partial<Record<PushState, string>>> = {
  'to be asked': 'This browser asks for your permission when you turn it on.',
  off: 'This browser allows notifications from here.',
  on: 'This browser allows notifications from here; its settings for this site can take that back.',
};

const refusal = (): string =>
  Notification.permission === 'default'
    ? 'You have not allowed it yet. Turn it on again to be asked once more.'
    : 'The browser did not allow it.';

/** Whether this browser is told of messages while the app is closed. */
export function PushSwitch({ vapidKey, device, onDevice }: PushSwitchProps) {
  const { client, token } = useSession();
  const [state, setState] = useState<PushState | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const look = useRef<() => void>(() => undefined);

  useEffect(() => {
    let isCurrent = true;
    const lookNow = () => void pushState(vapidKey).then((found) => isCurrent && setState(found));
    look.current = lookNow;
    lookNow();
    // The permission may have been changed in the browser's own settings.
    addEventListener('focus', lookNow);
    return () => {
      isCurrent = false;
      removeEventListener('focus', lookNow);
    };
  }, [vapidKey]);

  const change = (isOn: boolean) =>
    submit(
      async () => {
        if (isOn && vapidKey !== undefined) await enablePush({ client, token, vapidKey });
        else await disablePush(client);
        // One switch for both: the service may have this device turned off as such.
        if (isOn && !device.enabled) onDevice({ ...device, enabled: true });
        setState(await pushState(vapidKey));
      },
      (error) => {
        look.current();
        if (!(error instanceof DOMException)) return null;
        const isRefused = error.name === 'NotAllowedError';
        return {
          field: null,
          text: isRefused ? refusal() : 'The browser could not reach its own push service. Try again later.',
        };
      },
    );

  if (state === null) return <Spinner label="Looking at this browser" />;
  const reason = reasons[state];
  return (
    <>
      <Switch
        label="Notifications on this device"
        hint={<span role="status">{isBusy ? 'One moment …' : (reason ?? `${WHAT} ${permissions[state] ?? ''}`)}</span>}
        isOn={state === 'on' && device.enabled}
        isDisabled={reason !== undefined || isBusy}
        onChange={(isOn) => void change(isOn)}
      />
      <Problem text={errorBut()} />
    </>
  );
}
