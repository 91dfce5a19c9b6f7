import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import {
  Ban,
  Bell,
  BellOff,
  Bookmark,
  Bot,
  CalendarDays,
  CircleHelp,
  Clock,
  Folder,
  Keyboard,
  LibraryBig,
  LogOut,
  type LucideIcon,
  MessageSquarePlus,
  MonitorSmartphone,
  Moon,
  Palette,
  Settings,
  Smile,
  Sparkles,
  SquarePen,
  Sun,
  SunMoon,
  UserRound,
  UsersRound,
  Wrench,
} from 'lucide-react';
import { savedTheme, setTheme } from '../../browser/appearance.ts';
import type { Navigate } from '../../browser/navigation.ts';
import { chatRoute, newAgentRoute } from '../../browser/route.ts';
import { type Session, signOut } from '../../session/session.ts';
import { HELP } from '../../words/service-names.ts';
import { handleOf, shownName } from '../../words/shown-name.ts';
import { isSavedMessages, NEW_CHAT } from '../chat/chat-title.ts';
import { t } from '../../words/t.ts';

/** Something that the palette does when it is chosen. */
export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  /** Further words by which it is found, beside those of its title. */
  readonly words: string;
  /** What it concerns, shown after the title. */
  readonly about?: string;
  readonly Icon: LucideIcon;
  /** The heading above it, if it is not one of the actions. */
  readonly group?: 'settings' | 'help';
  /** It opens a conversation, whose composer then gets the focus. */
  readonly opensChat?: true;
  readonly run: () => Promise<unknown> | void;
}

/** What the page around the palette opens. */
export interface PagesToOpen {
  newConversation: () => void;
  goToDay: () => void;
  scheduled: () => void;
  shortcuts: () => void;
  /** Shows a folder in the list of conversations. */
  folder: (id: string) => void;
}

interface CommandContext {
  session: Session;
  navigate: Navigate;
  begin: (agent: string) => Promise<string>;
  openChat: Chat | null;
  /** The agent of the open direct chat. */
  openAgent: Participant | undefined;
  /** Not given where the palette searches one conversation. */
  pages: PagesToOpen | undefined;
}

/** What can be done from here. */
export function commandsFor(context: CommandContext): PaletteCommand[] {
  return [
    ...newThings(context),
    ...ofChat(context),
    ...places(context),
    ...folders(context),
    ...settings(context),
    ...ofTheme(),
  ];
}

function newThings({ session: { may }, navigate, begin, openAgent, pages }: CommandContext): PaletteCommand[] {
  const commands: PaletteCommand[] = [];
  if (openAgent)
    commands.push({
      id: 'new-chat',
      title: NEW_CHAT,
      words: t('start conversation'),
      about: t('with {name}', { name: shownName(openAgent) }),
      Icon: MessageSquarePlus,
      opensChat: true,
      run: () => begin(openAgent.username),
    });
  if (pages)
    commands.push({
      id: 'new-conversation',
      title: t('New conversation'),
      words: t('start chat message write person people'),
      Icon: SquarePen,
      run: pages.newConversation,
    });
  if (pages && may('addMembers'))
    commands.push({
      id: 'new-group',
      title: t('New group'),
      words: t('start chat'),
      Icon: UsersRound,
      run: pages.newConversation,
    });
  if (may('createAgent'))
    commands.push({
      id: 'new-agent',
      title: t('New agent'),
      words: t('make create ai assistant'),
      Icon: Sparkles,
      run: () => navigate(newAgentRoute()),
    });
  return commands;
}

function ofChat({ session, openChat, pages }: CommandContext): PaletteCommand[] {
  if (!openChat) return [];
  const { client, store } = session;
  const { id: chat_id, is_muted } = openChat;
  const commands: PaletteCommand[] = [];
  if (!isSavedMessages(openChat))
    commands.push({
      id: 'mute',
      title: is_muted ? t('Unmute this conversation') : t('Mute this conversation'),
      words: t('mute notifications sound chat quiet'),
      Icon: is_muted ? Bell : BellOff,
      run: async () => store.putChat(await client.call('setChatNotifications', { chat_id, is_muted: !is_muted })),
    });
  if (pages)
    commands.push({
      id: 'day',
      title: t('Go to a day'),
      words: t('date jump calendar messages'),
      Icon: CalendarDays,
      run: pages.goToDay,
    });
  return commands;
}

function places({ session, navigate, pages }: CommandContext): PaletteCommand[] {
  const { client, store, username } = session;
  const commands: PaletteCommand[] = [
    {
      id: 'saved',
      title: t('Saved messages'),
      words: t('notes bookmarks myself'),
      Icon: Bookmark,
      opensChat: true,
      run: async () => {
        const chat = await client.call('startChat', { username });
        store.putChat(chat);
        navigate(chatRoute(chat.id));
      },
    },
    ...(session.may('getUsers')
      ? [
          {
            id: 'shelf',
            title: t('Browse agents'),
            words: t('all ai assistants bots list'),
            Icon: LibraryBig,
            run: () => navigate({ name: 'shelf' }),
          },
        ]
      : []),
    {
      id: 'settings',
      title: t('Settings'),
      words: t('preferences profile account password'),
      Icon: Settings,
      run: () => navigate({ name: 'settings', section: 'profile' }),
    },
    {
      id: 'guide',
      title: t('Guide'),
      words: t('help documentation manual how questions support'),
      Icon: CircleHelp,
      group: 'help',
      run: () => void window.open('/docs/guide', '_blank', 'noopener'),
    },
  ];
  if (pages)
    commands.push(
      {
        id: 'scheduled',
        title: t('Scheduled'),
        words: t('send later reminders messages'),
        Icon: Clock,
        run: pages.scheduled,
      },
      {
        id: 'shortcuts',
        title: t('Keyboard shortcuts'),
        words: t('keys help'),
        Icon: Keyboard,
        group: 'help',
        run: pages.shortcuts,
      },
    );
  commands.push({
    id: 'help',
    title: t('Help'),
    words: t('how questions guide support manual'),
    Icon: CircleHelp,
    run: () => void open(HELP, '_blank', 'noopener'),
  });
  commands.push({
    id: 'sign-out',
    title: t('Sign out'),
    words: t('log out logout leave account'),
    about: handleOf(username),
    Icon: LogOut,
    run: () => signOut(session),
  });
  return commands;
}

const folders = ({ session, pages }: CommandContext): PaletteCommand[] =>
  (pages ? session.store.folders.get() : []).map(({ id, name }) => ({
    id: `folder-${id}`,
    title: t('Folder “{name}”', { name }),
    words: t('show list conversations'),
    Icon: Folder,
    run: () => pages?.folder(id),
  }));

/** Each page of the settings, by the words for what is on it. */
const settings = ({ navigate }: CommandContext): PaletteCommand[] =>
  [
    {
      section: 'profile' as const,
      title: t('Profile'),
      words: t('name photo picture avatar about status password delete account'),
      Icon: UserRound,
    },
    { section: 'emoji' as const, title: t('Emoji'), words: t('custom smileys stickers pictures'), Icon: Smile },
    { section: 'agents' as const, title: t('Agents and keys'), words: t('settings api tokens usage'), Icon: Sparkles },
    {
      section: 'calls' as const,
      title: t('Agent actions'),
      words: t('tools calls approvals allowed history'),
      Icon: Wrench,
    },
    { section: 'bots' as const, title: t('Bots'), words: t('programs webhooks tokens developers'), Icon: Bot },
    {
      section: 'sessions' as const,
      title: t('Devices'),
      words: t('sessions sign-ins phone computer security'),
      Icon: MonitorSmartphone,
    },
    { section: 'notifications' as const, title: t('Notification settings'), words: t('push sound'), Icon: Bell },
    {
      section: 'privacy' as const,
      title: t('Privacy'),
      words: t('block online last seen read receipts link previews export'),
      Icon: Ban,
    },
    {
      section: 'appearance' as const,
      title: t('Appearance'),
      words: t('language text size font theme dark light'),
      Icon: Palette,
    },
  ].map(({ section, ...rest }) => ({
    ...rest,
    id: `settings-${section}`,
    group: 'settings',
    run: () => navigate({ name: 'settings', section }),
  }));

/** The theme that would change what is shown, and the one of the system if it is not in use. */
function ofTheme(): PaletteCommand[] {
  const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const all = [
    { theme: 'dark', title: t('Turn on dark mode'), words: t('theme colours colors appearance night'), Icon: Moon },
    { theme: 'light', title: t('Turn off dark mode'), words: t('theme colours colors appearance light'), Icon: Sun },
    {
      theme: 'system',
      title: t('Dark mode like the system'),
      words: t('theme colours colors appearance automatic'),
      Icon: SunMoon,
    },
  ] as const;
  const now = savedTheme();
  const shown = now === 'system' ? (isSystemDark ? 'dark' : 'light') : now;
  return all
    .filter(({ theme }) => theme !== now && theme !== shown)
    .map(({ theme, ...rest }) => ({ ...rest, id: `theme-${theme}`, run: () => setTheme(theme) }));
}
