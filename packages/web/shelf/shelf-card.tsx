import type { Agent } from '@parley/protocol';
import { MessageCircle, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { chatTitle } from '../chats/chat/chat-title.ts';
import { PresenceDot } from '../chats/chat/presence-dot.tsx';
import { payText } from '../chats/members/agent-terms.tsx';
import { ShareAgent } from '../chats/members/share-agent.tsx';
import { useNamesOf } from '../chats/people/use-names-of.ts';
import { useNameOf } from '../chats/people/use-name-of.ts';
import { useChatsWith } from '../chats/profile/use-chats-with.ts';
import { useOpenChat } from '../chats/profile/use-open-chat.ts';
import { useOpenProfile } from '../session/open-profile.ts';
import { useSession } from '../session/session.ts';
import { type UsageItem, usageOf } from '../session/usage.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Buttons } from '../ui/layout/buttons.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { firstOf } from '../words/list-of.ts';
import { money } from '../words/money.ts';
import { SERVICE } from '../words/service-names.ts';
import { handleOf, nameAlone } from '../words/shown-name.ts';
import styles from './shelf-page.module.css';
import { useReplyCost } from './use-reply-cost.ts';
import { t } from '../words/t.ts';

/** Maximum conversations, and people, that a card names. */
const NAMED = 3;

interface ShelfCardProps {
  agent: Agent;
  /** Of the user's own agents. */
  usage: readonly UsageItem[];
}

/** An agent: whose it is, what for, who pays, where it takes part; a chat with it, and its profile. */
export function ShelfCard({ agent, usage }: ShelfCardProps) {
  const { username: me, may } = useSession();
  const openProfile = useOpenProfile();
  const [isSharing, setIsSharing] = useState(false);
  const { username, display_name, bio, avatar_url, parent_username, agent_provider } = agent;
  const owner = useNameOf(agent_provider === SERVICE ? undefined : parent_username);
  const chats = useChatsWith(username);
  const { isBusy, problem, open } = useOpenChat(agent);
  const isMine = parent_username === me;
  const name = nameAlone(display_name);
  const from = isMine ? t('by you') : owner === '' ? '' : t('by {name}', { name: owner });
  const groups = chats.filter(({ kind }) => kind === 'group').map((chat) => chatTitle(chat, me));
  const { items, prices } = usageOf(username, usage);
  const mean = useReplyCost(agent, chats, items);
  const users = [...new Set(items.map((item) => item.username))];
  const named = useNamesOf(users.slice(0, NAMED));
  const notes = [
    payText(agent, me, owner),
    groups.length === 0 ? '' : t('Takes part in {groups}.', { groups: firstOf(groups, NAMED) }),
    users.length === 0 ? '' : t('Used this month by {names}.', { names: firstOf(named, NAMED, users.length) }),
    prices.length === 0 ? '' : t('Your cost: {cost}.', { cost: money(prices) }),
    mean.length === 0 ? '' : t('A reply costs you about {cost}.', { cost: money(mean) }),
  ].filter((note) => note !== '');
  return (
    <article className={styles['card']} aria-label={name} data-agent={username}>
      <span className="ui-badged">
        <Avatar name={display_name} username={username} kind="agent" url={avatar_url} size={44} />
        <PresenceDot username={username} kind="agent" />
      </span>
      <div className="ui-texts">
        <button
          type="button"
          className="ui-words ui-name ui-underline"
          aria-haspopup="dialog"
          onClick={() => openProfile?.(username)}
        >
          <bdi>{name}</bdi>
        </button>
        <p className="ui-small ui-break">{[from, handleOf(username)].filter((part) => part !== '').join(' · ')}</p>
        {bio ? (
          <p className="ui-aside ui-break" dir="auto">
            {bio}
          </p>
        ) : null}
        {notes.length === 0 ? null : <p className="ui-note ui-break">{notes.join(' ')}</p>}
        <Problem text={problem} />
        <Buttons atStart>
          <Button size="small" aria-label={t('Chat with {name}', { name })} isBusy={isBusy} onClick={open}>
            <MessageCircle aria-hidden /> {t('Chat')}
          </Button>
          {isMine && may('addGroupAgent') ? (
            <Button size="small" look="quiet" onClick={() => setIsSharing(true)}>
              <UsersRound aria-hidden /> {t('Add to a group')}
            </Button>
          ) : null}
        </Buttons>
      </div>
      {isSharing ? (
        <ShareAgent username={username} displayName={display_name} onClose={() => setIsSharing(false)} />
      ) : null}
    </article>
  );
}
