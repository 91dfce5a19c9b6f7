// The pages for those who run the service. May import: all rooms below (see main.tsx) except composer and messages.
import type { AccountRole } from '@parley/protocol';
import { isAtLeast } from '@parley/protocol/account-roles';
import { Flag, LayoutDashboard, Link, ScrollText, UserCog, UsersRound } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { type AdminPage, adminPages } from '../browser/route.ts';
import { useLoaded } from '../calls/use-loaded.ts';
import { PageFrame } from '../config/page-frame.tsx';
import { useSession } from '../session/session.ts';
import { LoadingPage } from '../ui/states/loading-page.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { AccountsPage } from './accounts/accounts-page.tsx';
import { AuditPage } from './audit/audit-page.tsx';
import { GroupsPage } from './groups/groups-page.tsx';
import { InvitesPage } from './invites/invites-page.tsx';
import { OverviewPage } from './overview-page.tsx';
import { ReportsPage } from './reports/reports-page.tsx';
import { t } from '../words/t.ts';

interface Described {
  readonly title: string;
  readonly icon: ReactNode;
  /** The least role whose operations fill the page. */
  readonly least: AccountRole;
  readonly Page: (props: { role: AccountRole }) => ReactNode;
}

const pages: Readonly<Record<AdminPage, Described>> = {
  overview: { title: t('Overview'), icon: <LayoutDashboard />, least: 'moderator', Page: OverviewPage },
  accounts: { title: t('Accounts'), icon: <UserCog />, least: 'moderator', Page: AccountsPage },
  invites: { title: t('Invitations'), icon: <Link />, least: 'moderator', Page: InvitesPage },
  groups: { title: t('Groups'), icon: <UsersRound />, least: 'admin', Page: GroupsPage },
  reports: { title: t('Reports'), icon: <Flag />, least: 'moderator', Page: ReportsPage },
  audit: { title: t('Audit'), icon: <ScrollText />, least: 'owner', Page: AuditPage },
};

interface AdminProps {
  page: AdminPage;
  /** Shown to those who may not see the page. */
  otherwise: ReactNode;
}

/** The administration. Who may see a page is asked of the service each time it opens (WEB-720). */
export default function Admin({ page, otherwise }: AdminProps) {
  const { client } = useSession();
  const load = useCallback(async () => client.call('getMe'), [client]);
  const { value: me, error, reload } = useLoaded(load);
  if (!me) return error === null ? <LoadingPage /> : <Problem text={error} onRetry={reload} />;
  const { role = 'member' } = me;
  const { least, Page } = pages[page];
  if (!isAtLeast(role, least)) return otherwise;
  return (
    <PageFrame
      title={t('Administration')}
      closeLabel={t('Close the administration')}
      pages={adminPages
        .filter((name) => isAtLeast(role, pages[name].least))
        .map((name) => ({
          title: pages[name].title,
          icon: pages[name].icon,
          route: { name: 'admin', page: name },
          isCurrent: name === page,
        }))}
    >
      <Page role={role} />
    </PageFrame>
  );
}
