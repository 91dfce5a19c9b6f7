import type { Result } from '@parley/protocol';
import { Copy, Ellipsis, MessageCircle, Pencil, Trash2, UsersRound } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useNavigate } from '../../browser/navigation.ts';
import { agentRoute, chatRoute, newAgentRoute } from '../../browser/route.ts';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { PersonLine } from '../../chats/people/person-line.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Stack } from '../../ui/layout/stack.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { audienceNotes } from './audience-notes.ts';
import { OwnerSettings } from './owner-settings.tsx';
import { ShareAgent } from '../../chats/members/share-agent.tsx';
import styles from '../../config/settings.module.css';
import { AgentTools } from './tools/agent-tools.tsx';
import { type UsageItem, usageOf } from '../../session/usage.ts';
import { UsageView } from './usage-view.tsx';
import { t } from '../../words/t.ts';

interface CustomAgentCardProps {
  agent: Result<'getMyAgents'>['items'][number];
  /** null until loaded. */
  usage: readonly UsageItem[] | null;
  onDeleted: () => void;
}

/** An agent that the user made: who used it, and what the user can do with it. */
export function CustomAgentCard({ agent, usage, onDeleted }: CustomAgentCardProps) {
  const navigate = useNavigate();
  const { client, store, may } = useSession();
  const { username, display_name } = agent;
  const [asked, setAsked] = useState<'share' | 'delete' | null>(null);
  const load = useCallback(async () => client.call('getMyBotConfig', { username }), [client, username]);
  const config = useLoaded(load);
  const { isBusy, errorBut, submit } = useSubmit();
  async function talk() {
    const chat = await client.call('startChat', { username });
    store.putChat(chat);
    navigate(chatRoute(chat.id));
  }
  async function remove() {
    await client.call('deleteAgent', { username });
    onDeleted();
  }
  const note = agent.key_configured ? audienceNotes[agent.visibility] : t('no key yet');
  return (
    <Stack>
      <PersonLine who={{ ...agent, kind: 'agent' }} size={40} note={note} />
      {usage === null ? null : (
        <UsageView usage={usageOf(username, usage)} cap={config.value?.monthly_token_cap ?? null} hasKey />
      )}
      <details className={styles['more']}>
        <summary>{t('Monthly limit, and what others see')}</summary>
        <LoadedView loaded={config} label={t('Loading its settings')}>
          {(value) => <OwnerSettings config={value} onSaved={config.put} />}
        </LoadedView>
      </details>
      <AgentTools agent={username} />
      <Buttons atStart>
        <Button size="small" isBusy={isBusy} onClick={() => void submit(talk)}>
          <MessageCircle aria-hidden /> {t('Chat')}
        </Button>
        {may('updateAgent') ? (
          <Button size="small" onClick={() => navigate(agentRoute(username))}>
            <Pencil aria-hidden /> {t('Edit')}
          </Button>
        ) : null}
        <Menu
          align="start"
          trigger={<IconButton label={t('More about {name}', { name: display_name })} icon={<Ellipsis />} />}
          items={[
            ...(may('createAgent')
              ? [
                  { label: t('Add to a group'), icon: <UsersRound />, onSelect: () => setAsked('share') },
                  { label: t('Duplicate'), icon: <Copy />, onSelect: () => navigate(newAgentRoute(username)) },
                  null,
                ]
              : []),
            { label: t('Delete'), icon: <Trash2 />, isDanger: true, onSelect: () => setAsked('delete') },
          ]}
        />
      </Buttons>
      <Problem text={errorBut()} />
      {asked === 'share' ? (
        <ShareAgent username={username} displayName={display_name} onClose={() => setAsked(null)} />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={t('Delete {name}', { name: display_name })}
          text={t(
            'It leaves its groups and stops answering. Its instructions, settings and keys are lost; its messages stay. No one can use its handle again.',
          )}
          action={t('Delete agent')}
          isDanger
          onConfirm={remove}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </Stack>
  );
}
