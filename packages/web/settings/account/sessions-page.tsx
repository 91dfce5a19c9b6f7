import type { Session } from '@parley/protocol';
import { MonitorSmartphone } from 'lucide-react';
import { useCallback, useState } from 'react';
import { signOut, useSession } from '../../session/session.ts';
import { t } from '../../words/t.ts';
import { dateOf, isSameDay, timeOf } from '../../words/times.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import styles from '../../config/settings.module.css';
import row from './session-row.module.css';

/** The user's sessions on all devices. */
export function SessionsPage() {
  const session = useSession();
  const { client } = session;
  const [isAsking, setIsAsking] = useState(false);
  const load = useCallback(async () => (await client.call('getSessions')).items, [client]);
  const sessions = useLoaded(load);
  const others = sessions.value?.filter(({ is_current }) => !is_current) ?? [];
  return (
    <Section
      title={t('Devices')}
      hint={t('Everywhere you’re signed in. If you don’t recognize a device, sign it out and change your password.')}
    >
      <LoadedView
        loaded={sessions}
        label={t('Loading your devices')}
        empty={t('No devices to show: this session didn’t start with a sign-in.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items
              .toSorted((one, other) => Number(other.is_current) - Number(one.is_current))
              .map((one) => (
                <SessionRow
                  key={one.id}
                  session={one}
                  onEnded={sessions.reload}
                  onSignOut={() => void signOut(session)}
                />
              ))}
          </ul>
        )}
      </LoadedView>
      {others.length > 0 ? (
        <Buttons>
          <Button look="danger" onClick={() => setIsAsking(true)}>
            {t('Sign out all others')}
          </Button>
        </Buttons>
      ) : null}
      {isAsking ? (
        <Confirm
          title={t('Sign out all others')}
          text={t('This signs out every device except this one right away.')}
          action={t('Sign them out')}
          isDanger
          onConfirm={async () => {
            await client.call('terminateOtherSessions');
            sessions.reload();
          }}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Section>
  );
}

interface SessionRowProps {
  session: Session;
  onEnded: () => void;
  onSignOut: () => void;
}

function SessionRow({ session, onEnded, onSignOut }: SessionRowProps) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const { id, is_current, device_name, platform, app_version, last_active_at } = session;
  const about = [
    is_current ? t('this device') : lastActive(last_active_at),
    [platform, app_version].filter((part) => part).join(' '),
  ];
  async function end() {
    if (is_current) return onSignOut();
    if (await submit(() => client.call('terminateSession', { session_id: id }))) onEnded();
    return undefined;
  }
  return (
    <li>
      <div className={styles['row']}>
        <span className="ui-row">
          <span className={row['icon']} data-current={is_current || undefined}>
            <MonitorSmartphone aria-hidden />
          </span>
          <span className="ui-shrink">
            <span className="ui-line ui-name">{device_name ?? t('Unknown device')}</span>
            <span className="ui-line ui-note">{about.filter((part) => part !== '').join(' · ')}</span>
          </span>
        </span>
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={
            device_name === undefined
              ? t('Sign out the unknown device')
              : t('Sign out {device}', { device: device_name })
          }
          onClick={() => void end()}
        >
          {t('Sign out')}
        </Button>
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}

const lastActive = (iso: string): string =>
  isSameDay(iso, new Date().toISOString())
    ? t('last active today at {time}', { time: timeOf(iso) })
    : t('last active on {day}', { day: dateOf(iso) });
