import type { Privacy } from '@parley/protocol';
import { useCallback, useEffect } from 'react';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { useSession } from '../session/session.ts';
import { useCell } from '../session/use-cell.ts';
import { Switch } from '../ui/forms/switch.tsx';
import { Section } from '../ui/layout/section.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { t } from '../words/t.ts';

/** What the user shares with others, and whether links get previews; the same on all devices (WEB-364). */
export function SharingSections() {
  const { client, store } = useSession();
  // Without a socket the store may know nothing, and hears of no change.
  const load = useCallback(async () => store.privacy.get() ?? client.call('getPrivacy'), [client, store]);
  const privacy = useLoaded(load);
  const { put } = privacy;
  const { errorBut, submit } = useSubmit();
  const stored = useCell(store.privacy);
  useEffect(() => {
    if (stored) put(stored);
  }, [stored, put]);
  return (
    <>
      <LoadedView loaded={privacy} label={t('Loading your privacy settings')}>
        {(value) => {
          // Optimistic: restored if the service refuses the change.
          const save = async (change: Partial<Privacy>) => {
            put({ ...value, ...change });
            if (!(await submit(() => client.call('setPrivacy', change)))) put(value);
          };
          return (
            <>
              <Section title={t('What you share')} hint={t('What you don’t share, you don’t see of others either.')}>
                <Switch
                  label={t('Read receipts')}
                  hint={t('People see that you’ve read their messages, and you see when they’ve read yours.')}
                  isOn={value.read_receipts}
                  onChange={(read_receipts) => void save({ read_receipts })}
                />
                <Switch
                  label={t('When you’re online')}
                  hint={t(
                    'People in your chats see when you’re online and when you last were, and you see it of them.',
                  )}
                  isOn={value.last_seen}
                  onChange={(last_seen) => void save({ last_seen })}
                />
              </Section>
              <Section title={t('Links')}>
                <Switch
                  label={t('Show previews of links')}
                  hint={t('Parley’s server visits the pages that you link to, and the app shows what pages are about.')}
                  isOn={value.link_previews}
                  onChange={(link_previews) => void save({ link_previews })}
                />
              </Section>
            </>
          );
        }}
      </LoadedView>
      <Problem text={errorBut()} />
    </>
  );
}
