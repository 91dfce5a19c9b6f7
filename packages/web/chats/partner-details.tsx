import type { Chat } from '@parley/client/store';
import { Ban, SlidersHorizontal } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../app/session.ts';
import { useCell } from '../app/use-cell.ts';
import { useLoaded } from '../app/use-loaded.ts';
import { useSubmit } from '../app/use-submit.ts';
import { OwnConfigDialog } from '../settings/own-config.tsx';
import { allBlocked } from '../settings/blocked-people.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/problem.tsx';
import { ChatAvatar } from './chat-avatar.tsx';
import styles from './chat-details.module.css';
import { partnerOf } from './chat-title.ts';
import { QuickActions } from './quick-actions.tsx';

/** The other one of a direct chat. */
export function PartnerDetails({ chat }: { chat: Chat }) {
  const { store, username } = useSession();
  const partner = partnerOf(chat, username);
  const account = useCell(store.account(partner?.username ?? ''));
  const [isConfiguring, setIsConfiguring] = useState(false);
  const name = partner?.username;
  useEffect(() => {
    if (name !== undefined) void store.loadAccounts([name]).catch(() => undefined);
  }, [store, name]);
  if (!partner) return null;
  const isAgent = partner.kind === 'agent';
  const owner = account?.parent_username;
  return (
    <>
      <div className={styles['about']}>
        <ChatAvatar chat={chat} size={88} />
        <h3>{partner.display_name}</h3>
        <p>
          {isAgent ? 'agent · ' : ''}@{partner.username}
        </p>
        {isAgent && owner !== undefined ? (
          <p>{owner === username ? 'It is yours.' : `It belongs to @${owner}.`}</p>
        ) : null}
        {account?.bio ? <p dir="auto">{account.bio}</p> : null}
        {account?.is_deleted ? <p>This account was deleted.</p> : null}
      </div>
      <QuickActions chat={chat} />
      {isAgent ? (
        <div className={styles['divided']}>
          <Button onClick={() => setIsConfiguring(true)}>
            <SlidersHorizontal size={17} aria-hidden /> Your settings for it
          </Button>
        </div>
      ) : null}
      {account?.is_deleted || owner === username ? null : (
        <BlockButton username={partner.username} displayName={partner.display_name} />
      )}
      {isConfiguring ? <OwnConfigDialog agent={partner} onClose={() => setIsConfiguring(false)} /> : null}
    </>
  );
}

function BlockButton({ username, displayName }: { username: string; displayName: string }) {
  const { client } = useSession();
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, errorBut, submit } = useSubmit();
  const load = useCallback(async () => allBlocked(client), [client]);
  const blocked = useLoaded(load);
  if (blocked.value === undefined) return <Problem text={blocked.error} onRetry={blocked.reload} />;
  const isBlocked = blocked.value.some((one) => one.username === username);
  async function block() {
    await client.call('blockUser', { username });
    blocked.reload();
  }
  async function unblock() {
    await client.call('unblockUser', { username });
    blocked.reload();
  }
  return (
    <div className={styles['divided']}>
      {isBlocked ? (
        <div className={styles['form']}>
          <p className={styles['faint']}>You have blocked {displayName}. Neither of you can write here.</p>
          <Button isBusy={isBusy} onClick={() => void submit(unblock)}>
            Unblock
          </Button>
        </div>
      ) : (
        <Button look="danger" onClick={() => setIsAsking(true)}>
          <Ban size={17} aria-hidden /> Block
        </Button>
      )}
      <Problem text={errorBut()} />
      {isAsking ? (
        <Confirm
          title={`Block ${displayName}`}
          text="Neither of you can write in this chat, and you are told nothing of them, wherever you both are. They only see that they cannot write to you."
          action="Block"
          isDanger
          onConfirm={block}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  );
}
