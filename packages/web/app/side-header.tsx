import { Menu as MenuIcon, Search, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { NewChat } from '../chats/new-chat/new-chat.tsx';
import { Palette, usePaletteShortcut } from '../chats/palette/palette.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/overlays/menu.tsx';
import { useNavigate, useRoute } from '../browser/navigation.ts';
import { usePage } from '../browser/page.ts';
import { chatRoute } from '../browser/route.ts';
import { signOut, useSession } from '../session/session.ts';
import styles from './side-header.module.css';
import { useCell } from '../session/use-cell.ts';

/** Above the conversation list: menu, search, new conversation and your profile. */
export function SideHeader() {
  const navigate = useNavigate();
  const { navigation } = usePage();
  const session = useSession();
  const { store, username } = session;
  const me = useCell(store.me);
  // The installed app has a shortcut to the dialog.
  const isWanted = useRoute().name === 'new';
  const [isStarting, setIsStarting] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  usePaletteShortcut(() => setIsSearching(true));
  const name = me?.display_name ?? username;

  function closeNew() {
    setIsStarting(false);
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
        trigger={<IconButton label="Menu" icon={<MenuIcon />} />}
        items={[
          { label: 'Saved messages', onSelect: () => void openSaved().catch(() => undefined) },
          { label: 'Settings', onSelect: () => navigate({ name: 'settings', section: 'profile' }) },
          { label: 'Agents and keys', onSelect: () => navigate({ name: 'settings', section: 'agents' }) },
          null,
          { label: `Sign out ${name}`, onSelect: () => void signOut(session) },
        ]}
      />
      <button type="button" className={styles['search']} onClick={() => setIsSearching(true)}>
        <Search />
        <span>Search</span>
        <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <IconButton label="New conversation" icon={<SquarePen />} onClick={() => setIsStarting(true)} />
      <button
        type="button"
        className={styles['me']}
        aria-label={`Your profile, ${name}`}
        onClick={() => navigate({ name: 'settings', section: 'profile' })}
      >
        <Avatar name={name} username={username} kind="human" url={me?.avatar_url} size={30} />
      </button>
      {isStarting || isWanted ? <NewChat onClose={closeNew} /> : null}
      {isSearching ? <Palette onClose={() => setIsSearching(false)} /> : null}
    </header>
  );
}
