import type { Account } from '@parley/protocol';
import { useCallback } from 'react';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSubmit } from '../calls/use-submit.ts';
import { PersonLine } from '../chats/people/person-line.tsx';
import { Button } from '../ui/button.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Section } from '../ui/layout/section.tsx';
import { allBlocked } from '../chats/people/blocked-people.ts';
import styles from '../config/settings.module.css';
import { t } from '../words/t.ts';
import { SharingSections } from './sharing-sections.tsx';

/** What the user shares with others, whether links get previews, and whom the user has blocked. */
export function PrivacyPage() {
  return (
    <>
      <SharingSections />
      <BlockedSection />
    </>
  );
}

/** The accounts that the user has blocked. */
function BlockedSection() {
  const { client } = useSession();
  const load = useCallback(async () => allBlocked(client), [client]);
  const blocked = useLoaded(load);
  return (
    <Section
      title={t('Blocked')}
      hint={t(
        'They can’t message you or add you to groups, and you get no notifications about them. They only see that they can’t message you.',
      )}
    >
      <LoadedView
        loaded={blocked}
        label={t('Loading blocked people')}
        empty={t('You haven’t blocked anyone. To block someone, open your chat with them and then its details.')}
      >
        {(items) => (
          <ul className="ui-stack">
            {items.map((account) => (
              <BlockedRow
                key={account.username}
                account={account}
                onUnblocked={() => blocked.put(items.filter((one) => one !== account))}
              />
            ))}
          </ul>
        )}
      </LoadedView>
    </Section>
  );
}

function BlockedRow({ account, onUnblocked }: { account: Account; onUnblocked: () => void }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  async function unblock() {
    if (await submit(() => client.call('unblockUser', { username: account.username }))) onUnblocked();
  }
  return (
    <li>
      <div className={styles['row']}>
        <PersonLine who={account} />
        <Button
          size="small"
          isBusy={isBusy}
          aria-label={t('Unblock {name}', { name: account.display_name })}
          onClick={() => void unblock()}
        >
          {t('Unblock')}
        </Button>
      </div>
      <Problem text={errorBut()} />
    </li>
  );
}
