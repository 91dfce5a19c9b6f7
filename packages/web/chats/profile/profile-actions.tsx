import type { Account } from '@parley/protocol';
import { MessageCircle, Pencil, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { agentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { nameAlone } from '../../words/shown-name.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { ShareAgent } from '../members/share-agent.tsx';
import { useBlock } from '../people/use-block.ts';
import { useMayChat } from './use-may-chat.ts';
import { useOpenChat } from './use-open-chat.ts';
import { t } from '../../words/t.ts';

/** What the user may do with an account; what the user may not is not there, or says why (WEB-541). */
export function ProfileActions({ account, onClose }: { account: Account; onClose: () => void }) {
  const navigate = useNavigate();
  const { username: me, may } = useSession();
  const { username, kind, display_name, parent_username, agent_provider } = account;
  const [isSharing, setIsSharing] = useState(false);
  const mayChat = useMayChat(username);
  const isBlocked = useBlock(username) !== null;
  const { isBusy, problem, open } = useOpenChat({ username, kind }, onClose);
  const isMine = parent_username === me;
  if (username === me)
    return (
      <Button
        onClick={() => {
          navigate({ name: 'settings', section: 'profile' });
          onClose();
        }}
      >
        <Pencil aria-hidden /> {t('Edit your profile')}
      </Button>
    );
  return (
    <div className="ui-stack">
      {mayChat === true && !isBlocked ? (
        <Button look="primary" isBusy={isBusy} onClick={open}>
          <MessageCircle aria-hidden />
          <span className="ui-cut">{t('Message {name}', { name: nameAlone(display_name) })}</span>
        </Button>
      ) : null}
      {mayChat === false ? <p className="ui-hint">{whyNot(kind)}</p> : null}
      {isMine && may('addGroupAgent') ? (
        <Button onClick={() => setIsSharing(true)}>
          <UsersRound aria-hidden /> {t('Add to a group')}
        </Button>
      ) : null}
      {isMine && agent_provider !== 'bot' && may('updateAgent') ? (
        <Button
          onClick={() => {
            navigate(agentRoute(username));
            onClose();
          }}
        >
          <Pencil aria-hidden /> {t('Edit')}
        </Button>
      ) : null}
      <Problem text={problem} />
      {isSharing ? (
        <ShareAgent username={username} displayName={display_name} onClose={() => setIsSharing(false)} />
      ) : null}
    </div>
  );
}

const whyNot = (kind: Account['kind']): string =>
  kind === 'agent'
    ? t('This agent is private. Ask its owner to make it public or to add it to a group.')
    : t('You can’t start a conversation with this person.');
