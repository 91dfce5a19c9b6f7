// The settings pages. May import: all rooms below (see main.tsx) except composer and messages. Within: account, agents,
// bots, webhooks, and this folder, each importing only earlier ones.
import { ArrowLeft, Ban, Bell, Bot, MonitorSmartphone, Palette, Smile, Sparkles, UserRound, X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useNavigate } from '../browser/navigation.ts';
import { hrefOf, type SettingsSection, settingsSections } from '../browser/route.ts';
import { IconButton } from '../ui/button.tsx';
import { AgentsPage } from './agents/agents-page.tsx';
import { AppearancePage } from './appearance-page.tsx';
import { BotsPage } from './bots/bots-page.tsx';
import { EmojiPage } from './emoji-page.tsx';
import { NotificationsPage } from './notifications-page.tsx';
import { PrivacyPage } from './privacy-page.tsx';
import { ProfilePage } from './account/profile-page.tsx';
import { Subscriptions } from './webhooks/subscriptions.tsx';
import { SessionsPage } from './account/sessions-page.tsx';
import styles from '../config/settings.module.css';
import { t } from '../words/t.ts';

const pages: Readonly<Record<SettingsSection, { title: string; icon: ReactNode; Page: () => ReactNode }>> = {
  profile: { title: t('Profile'), icon: <UserRound />, Page: ProfilePage },
  emoji: { title: t('Emoji'), icon: <Smile />, Page: EmojiPage },
  agents: { title: t('Agents'), icon: <Sparkles />, Page: AgentsPage },
  bots: { title: t('Bots'), icon: <Bot />, Page: ProgramsPage },
  sessions: { title: t('Devices'), icon: <MonitorSmartphone />, Page: SessionsPage },
  notifications: { title: t('Notifications'), icon: <Bell />, Page: NotificationsPage },
  privacy: { title: t('Privacy'), icon: <Ban />, Page: PrivacyPage },
  appearance: { title: t('Appearance'), icon: <Palette />, Page: AppearancePage },
};

/** The user's own programs: those that take part, and the addresses of those that listen. */
function ProgramsPage() {
  return (
    <>
      <BotsPage />
      <Subscriptions />
    </>
  );
}

/** The settings, one page per subject. */
export default function Settings({ section }: { section: SettingsSection }) {
  const { Page } = pages[section];
  const navigate = useNavigate();
  const nav = useRef<HTMLElement>(null);
  const close = () => navigate({ name: 'home' });
  const open = (event: MouseEvent, section: SettingsSection) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate({ name: 'settings', section }, { replace: true });
  };
  useEffect(() => {
    // On a phone the tabs are wider than the screen: scroll to the current one.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [section]);
  return (
    <main className={styles['settings']}>
      <header className={styles['header']}>
        <IconButton className="ui-phone-only" label={t('All conversations')} icon={<ArrowLeft />} onClick={close} />
        <h1 className="ui-grow">{t('Settings')}</h1>
        <IconButton className="ui-no-phone" label={t('Close settings')} icon={<X />} onClick={close} />
      </header>
      <div className={styles['body']}>
        <nav ref={nav} className={styles['nav']} aria-label={t('Settings')}>
          {settingsSections.map((name) => (
            <a
              key={name}
              className={name === section ? undefined : 'ui-hover'}
              href={hrefOf({ name: 'settings', section: name })}
              aria-current={name === section ? 'page' : undefined}
              onClick={(event) => open(event, name)}
            >
              {pages[name].icon}
              {pages[name].title}
            </a>
          ))}
        </nav>
        <div key={section} className={styles['scroll']}>
          <div className={styles['page']}>
            <Page />
          </div>
        </div>
      </div>
    </main>
  );
}
