import type { Privacy } from '@parley/protocol';
import { useCallback, useEffect } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { Switch } from '../ui/forms/switch.tsx';
import { Section } from '../ui/layout/section.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';

/** What the user shares with others, the same on all devices (WEB-234). */
export function SharingSection() {
  const { client } = useSession();
  const load = useCallback(async () => client.call('getPrivacy'), [client]);
  const privacy = useLoaded(load);
  const { errorBut, submit } = useSubmit();
  useEffect(() => client.on('privacyUpdated', privacy.put), [client, privacy.put]);
  return (
    <Section title={t('What you share')} hint={t('What you don’t share, you don’t see of others either.')}>
      <LoadedView loaded={privacy} label={t('Loading your privacy settings')}>
        {(value) => {
          // Optimistic: restored if the service refuses the change.
          const save = async (change: Partial<Privacy>) => {
            privacy.put({ ...value, ...change });
            if (!(await submit(() => client.call('setPrivacy', change)))) privacy.put(value);
          };
          return (
            <>
              <Switch
                label={t('Read receipts')}
                hint={t('People see that you’ve read their messages, and you see when they’ve read yours.')}
                isOn={value.read_receipts}
                onChange={(read_receipts) => void save({ read_receipts })}
              />
              <Switch
                label={t('When you’re online')}
                hint={t('People in your chats see when you’re online and when you last were, and you see it of them.')}
                isOn={value.last_seen}
                onChange={(last_seen) => void save({ last_seen })}
              />
            </>
          );
        }}
      </LoadedView>
      <Problem text={errorBut()} />
    </Section>
  );
}
