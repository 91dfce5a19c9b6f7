import { Menu as MenuIcon, Search, SquarePen } from 'lucide-react';
import { type ComponentProps, lazy, Suspense, useMemo, useState } from 'react';
import { GoToDay } from '../chats/chat/go-to-day.tsx';
import type { ListFilter } from '../chats/list/shown-chats.ts';
import { Scheduled } from '../chats/later/scheduled.tsx';
import { NewChat } from '../chats/new-chat/new-chat.tsx';
import { Palette, usePaletteShortcut } from '../chats/palette/palette.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/overlays/menu.tsx';
import { isApple } from '../browser/is-apple.ts';
import { useNavigate, useRoute } from '../browser/navigation.ts';
import { usePage } from '../browser/page.ts';
import { chatRoute } from '../browser/route.ts';
import { runsService, signOut, useSession } from '../session/session.ts';
import { Shortcuts } from './shortcuts.tsx';
import styles from './side-header.module.css';
import { useCell } from '../session/use-cell.ts';
import { t } from '../words/t.ts';

const SideIcon = lazy(async () => import('./side-icon.tsx'));
const icon = (name: ComponentProps<typeof SideIcon>['name']) => (
  // An empty one holds its place.
  <Suspense fallback={<span className="lucide" />}>
    <SideIcon name={name} />
  </Suspense>
);

/** Above the conversation list: menu, search, new conversation and your profile; and what the palette's commands open. */
export function SideHeader({ onFilter }: { onFilter: (filter: ListFilter) => void }) {
  const navigate = useNavigate();
  const { navigation } = usePage();
  const session = useSession();
  const { store, username } = session;
  const me = useCell(store.me);
  // The installed app has a shortcut to the dialog.
  const isWanted = useRoute().name === 'new';
  const [open, setOpen] = useState<'search' | 'new' | 'day' | 'scheduled' | 'shortcuts' | null>(null);
  const [runs, setRuns] = useState(runsService);
  const close = () => setOpen(null);
  usePaletteShortcut(() => setOpen('search'));
  const pages = useMemo(
    () => ({
      newConversation: () => setOpen('new'),
      goToDay: () => setOpen('day'),
      scheduled: () => setOpen('scheduled'),
      shortcuts: () => setOpen('shortcuts'),
      folder: (folderId: string) => onFilter({ folderId }),
    }),
    [onFilter],
  );
  const name = me?.display_name ?? username;

  function closeNew() {
    close();
    if (navigation.get().name === 'new') navigate({ name: 'home' }, { replace: true });
  }

  async function openSaved() {
    const chat = await store.client.api.startChat({ username });
    store.putChat(chat);
    navigate(chatRoute(chat.id));
  }

  return (
    <header className={styles['header']}>
      <Menu
        align="start"
        onOpenChange={() => setRuns(runsService())}
        trigger={<IconButton label={t('Menu')} icon={<MenuIcon />} />}
        items={[
          {
            label: t('Set a status'),
            icon: icon('status'),
            onSelect: () => navigate({ name: 'settings', section: 'profile' }),
          },
          { label: t('Saved messages'), icon: icon('saved'), onSelect: () => void openSaved().catch(() => undefined) },
          { label: t('Scheduled'), icon: icon('scheduled'), onSelect: pages.scheduled },
          ...(session.may('browseChats')
            ? [{ label: t('Browse groups'), icon: icon('browse'), onSelect: () => navigate({ name: 'browse' }) }]
            : []),
          ...(session.may('getUsers')
            ? [{ label: t('Browse agents'), icon: icon('shelf'), onSelect: () => navigate({ name: 'shelf' }) }]
            : []),
          {
            label: t('Settings'),
            icon: icon('settings'),
            onSelect: () => navigate({ name: 'settings', section: 'profile' }),
          },
          {
            label: t('Agents and keys'),
            icon: icon('agents'),
            onSelect: () => navigate({ name: 'settings', section: 'agents' }),
          },
          ...(runs
            ? [
                {
                  label: t('Administration'),
                  icon: icon('admin'),
                  onSelect: () => navigate({ name: 'admin', page: 'overview' }),
                },
              ]
            : []),
          null,
          { label: t('Sign out {name}', { name }), icon: icon('out'), onSelect: () => void signOut(session) },
        ]}
      />
      <button type="button" className={styles['search']} onClick={() => setOpen('search')}>
        <Search />
        <span>{t('Search')}</span>
        <kbd className="ui-no-touch">{isApple ? '⌘K' : 'Ctrl+K'}</kbd>
      </button>
      <IconButton label={t('New conversation')} icon={<SquarePen />} onClick={() => setOpen('new')} />
      <button
        type="button"
        className={styles['me']}
        aria-label={t('Your profile, {name}', { name })}
        onClick={() => navigate({ name: 'settings', section: 'profile' })}
      >
        <Avatar name={name} username={username} kind="human" url={me?.avatar_url} size={32} />
      </button>
      {open === 'search' ? (
        // A command may have opened another page in its place.
        <Palette pages={pages} onClose={() => setOpen((now) => (now === 'search' ? null : now))} />
      ) : open === 'new' || isWanted ? (
        <NewChat onClose={closeNew} />
      ) : open === 'day' ? (
        <GoToDay onClose={close} />
      ) : open === 'scheduled' ? (
        <Scheduled onClose={close} />
      ) : null}
      <Shortcuts isOpen={open === 'shortcuts'} onOpen={pages.shortcuts} onClose={close} />
    </header>
  );
}
