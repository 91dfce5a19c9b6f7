// The settings pages. May import: all rooms below (see main.tsx) except composer and messages. Within: account, agents,
// bots, calls, tokens, webhooks, and this folder, each importing only earlier ones.
import {
  Ban,
  Bell,
  Bot,
  CircleHelp,
  MonitorSmartphone,
  Palette,
  Smile,
  Sparkles,
  UserRound,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type SettingsSection, settingsSections } from '../browser/route.ts';
import { PageFrame } from '../config/page-frame.tsx';
import { AgentsPage } from './agents/agents-page.tsx';
import { AppearancePage } from './appearance-page.tsx';
import { CallsPage } from './calls/calls-page.tsx';
import { BotsPage } from './bots/bots-page.tsx';
import { EmojiPage } from './emoji-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { ProfilePage } from './account/profile-page.tsx';
import { Subscriptions } from './webhooks/subscriptions.tsx';
import { AccessTokens } from './tokens/access-tokens.tsx';
import { SessionsPage } from './account/sessions-page.tsx';
import { HELP } from '../words/service-names.ts';
import { t } from '../words/t.ts';

const pages: Readonly<Record<SettingsSection, { title: string; icon: ReactNode; Page: () => ReactNode }>> = {
  profile: { title: t('Profile'), icon: <UserRound />, Page: ProfilePage },
  emoji: { title: t('Emoji'), icon: <Smile />, Page: EmojiPage },
  agents: { title: t('Agents'), icon: <Sparkles />, Page: AgentsPage },
  calls: { title: t('Agent actions'), icon: <Wrench />, Page: CallsPage },
  bots: { title: t('Bots'), icon: <Bot />, Page: ProgramsPage },
  sessions: { title: t('Devices'), icon: <MonitorSmartphone />, Page: SessionsPage },
  notifications: { title: t('Notifications'), icon: <Bell />, Page: NotificationsPage },
  privacy: { title: t('Privacy'), icon: <Ban />, Page: PrivacyPage },
  appearance: { title: t('Appearance'), icon: <Palette />, Page: AppearancePage },
};

/** The user's own programs: those that take part, the addresses of those that listen, the tokens of those that act for the user. */
function ProgramsPage() {
  return (
    <>
      <BotsPage />
      <Subscriptions />
      <AccessTokens />
    </>
  );
}

/** The settings, one page per subject. */
export default function Settings({ section }: { section: SettingsSection }) {
  const { Page } = pages[section];
  return (
    <PageFrame
      title={t('Settings')}
      closeLabel={t('Close settings')}
      pages={settingsSections.map((name) => ({
        title: pages[name].title,
        icon: pages[name].icon,
        route: { name: 'settings', section: name },
        isCurrent: name === section,
      }))}
      more={
        <a className="ui-hover" href={HELP} target="_blank">
          <CircleHelp />
          {t('Help')}
        </a>
      }
    >
      <Page />
    </PageFrame>
  );
}
