import type { Chat } from '@parley/client/store';
import type { Participant } from '@parley/protocol';
import {
  Bell,
  BellOff,
  Bookmark,
  CalendarDays,
  Clock,
  Folder,
  Keyboard,
  LogOut,
  type LucideIcon,
  MessageSquarePlus,
  Moon,
  Settings,
  Sparkles,
  SquarePen,
  Sun,
  SunMoon,
  UsersRound,
} from 'lucide-react';
import { savedTheme, setTheme } from '../../browser/appearance.ts';
import type { Navigate } from '../../browser/navigation.ts';
import { chatRoute, newAgentRoute } from '../../browser/route.ts';
import { type Session, signOut } from '../../session/session.ts';
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
  return [...newThings(context), ...ofChat(context), ...places(context), ...folders(context), ...ofTheme()];
}

function newThings({ navigate, begin, openAgent, pages }: CommandContext): PaletteCommand[] {
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
    commands.push(
      {
        id: 'new-conversation',
        title: t('New conversation'),
        words: t('start chat message write person people'),
        Icon: SquarePen,
        run: pages.newConversation,
      },
      {
        id: 'new-group',
        title: t('New group'),
        words: t('start chat'),
        Icon: UsersRound,
        run: pages.newConversation,
      },
    );
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
    {
      id: 'settings',
      title: t('Settings'),
      words: t('preferences profile account password'),
      Icon: Settings,
      run: () => navigate({ name: 'settings', section: 'profile' }),
    },
    {
      id: 'agents',
      title: t('Agents and keys'),
      words: t('settings api tokens usage'),
      Icon: Sparkles,
      run: () => navigate({ name: 'settings', section: 'agents' }),
    },
    {
      id: 'notifications',
      title: t('Notification settings'),
      words: t('push sound'),
      Icon: Bell,
      run: () => navigate({ name: 'settings', section: 'notifications' }),
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
        run: pages.shortcuts,
      },
    );
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

/** The themes that are not in use. */
function ofTheme(): PaletteCommand[] {
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
  return all
    .filter(({ theme }) => theme !== now)
    .map(({ theme, ...rest }) => ({ ...rest, id: `theme-${theme}`, run: () => setTheme(theme) }));
}
