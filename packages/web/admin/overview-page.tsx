import type { AccountRole } from '@parley/protocol';
import { isAtLeast } from '@parley/protocol/account-roles';
import { type MouseEvent, type ReactNode, useCallback } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { type AdminPage, hrefOf } from '../browser/route.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { useSession } from '../session/session.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { Section } from '../ui/layout/section.tsx';
import { LoadedView } from '../ui/states/loaded-view.tsx';
import { fileSize } from '../words/file-size.ts';
import { handleOf } from '../words/shown-name.ts';
import { roleTitles } from './accounts/roles.ts';
import { wholeNumber } from '../words/whole-number.ts';
import { t } from '../words/t.ts';

const signUps = {
  open: t('Open to everybody'),
  invite: t('With an invitation only'),
  closed: t('Closed'),
};

/** At most this many open reports are counted. */
const MOST_REPORTS = 100;

/** The service in numbers, as far as the reader's role may know them. */
export function OverviewPage({ role }: { role: AccountRole }) {
  const { client } = useSession();
  const isAdmin = isAtLeast(role, 'admin');
  const load = useCallback(async () => {
    const [info, reports, numbers] = await Promise.all([
      client.call('getServerInfo'),
      client.call('getReports', { limit: MOST_REPORTS }),
      isAdmin ? client.call('getServiceOverview') : undefined,
    ]);
    return { info, reports, numbers };
  }, [client, isAdmin]);
  const loaded = useLoaded(load);
  return (
    <LoadedView loaded={loaded} label={t('Loading the overview')}>
      {({ info, reports, numbers }) => (
        <>
          <Section title={t('Now')}>
            <Facts>
              {numbers ? (
                <Fact name={t('Waiting for approval')}>
                  <PageLink page="invites">{wholeNumber(numbers.pending)}</PageLink>
                </Fact>
              ) : null}
              <Fact name={t('Open reports')}>
                <PageLink page="reports">
                  {reports.next_cursor === undefined
                    ? wholeNumber(reports.items.length)
                    : t('More than {count, number}', { count: reports.items.length })}
                </PageLink>
              </Fact>
              <Fact name={t('Sign-up')}>{signUps[info.sign_up]}</Fact>
            </Facts>
          </Section>
          {numbers ? (
            <Section title={t('People')}>
              <Facts>
                {numbers.accounts.toReversed().map(({ role: one, count }) => (
                  <Fact key={one} name={roleTitles[one]}>
                    {wholeNumber(count)}
                  </Fact>
                ))}
                <Fact name={t('Disabled')}>{wholeNumber(numbers.disabled)}</Fact>
              </Facts>
            </Section>
          ) : null}
          <Section title={t('Service')}>
            <Facts>
              {numbers ? (
                <>
                  <Fact name={t('Stored messages and files')}>{fileSize(numbers.stored_bytes)}</Fact>
                  <Fact name={t('Nodes alive')}>{wholeNumber(numbers.nodes)}</Fact>
                  {numbers.usage.map(({ agent, tokens }) => (
                    <Fact key={agent} name={t('Last 30 days: {agent}', { agent: handleOf(agent) })}>
                      {t('{count, plural, one {# token} other {# tokens}}', { count: tokens })}
                    </Fact>
                  ))}
                </>
              ) : null}
              <Fact name={t('Version')}>{info.version}</Fact>
              <Fact name={t('Feature level')}>{info.feature_level}</Fact>
            </Facts>
          </Section>
        </>
      )}
    </LoadedView>
  );
}

/** A number that leads to the page where something is to be done about it. */
function PageLink({ page, children }: { page: AdminPage; children: ReactNode }) {
  const navigate = useNavigate();
  const route = { name: 'admin', page } as const;
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(route);
  };
  return (
    <span className="ui-links">
      <a href={hrefOf(route)} onClick={open}>
        {children}
      </a>
    </span>
  );
}
