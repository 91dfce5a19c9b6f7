import { useNavigate } from '../../browser/navigation.ts';
import { chatRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { Section } from '../../ui/layout/section.tsx';
import { ChatAvatar } from '../chat/chat-avatar.tsx';
import { chatTitle } from '../chat/chat-title.ts';
import { roleName } from '../members/role-name.ts';
import { useChatsWith } from './use-chats-with.ts';
import { t } from '../../words/t.ts';

/** Maximum number of groups in a profile. */
const MAX_GROUPS = 20;

/** The groups that the user shares with an account, as far as their participants are loaded. */
export function CommonGroups({ username, onClose }: { username: string; onClose: () => void }) {
  const navigate = useNavigate();
  const { username: me } = useSession();
  const groups = useChatsWith(username).filter(({ kind }) => kind === 'group');
  if (groups.length === 0) return null;
  return (
    <Section level={3} title={t('Groups in common')}>
      <ul className="ui-bare">
        {groups.slice(0, MAX_GROUPS).map((chat) => (
          <li key={chat.id}>
            <button
              type="button"
              className="ui-row-button ui-hover"
              onClick={() => {
                navigate(chatRoute(chat.id));
                onClose();
              }}
            >
              <ChatAvatar chat={chat} size={28} />
              <span className="ui-one-line ui-fill" dir="auto">
                {chatTitle(chat, me)}
              </span>
              <span className="ui-small ui-fixed">{roleName(chat, username)}</span>
            </button>
          </li>
        ))}
      </ul>
      {groups.length > MAX_GROUPS ? (
        <p className="ui-hint">{t('{count, number} more', { count: groups.length - MAX_GROUPS })}</p>
      ) : null}
    </Section>
  );
}
