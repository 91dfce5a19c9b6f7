import type { ToolServer } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useLoaded } from '../../../calls/use-loaded.ts';
import { useSubmit } from '../../../calls/use-submit.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Buttons } from '../../../ui/layout/buttons.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlays/confirm.tsx';
import { Saved } from '../../../ui/states/done.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import { t } from '../../../words/t.ts';
import { ServerCard } from './server-card.tsx';
import { ServerDialog } from './server-dialog.tsx';
import { type ChosenTools, chosenOf, inputOf, type ToolServerInput } from './tool-drafts.ts';

/** The servers of tools of the user's agent: which there are, what they offer, and what the agent may use of it. */
export default function ToolServers({ agent }: { agent: string }) {
  const { client } = useSession();
  const load = useCallback(
    async () => (await client.call('getToolServers', { username: agent })).items,
    [client, agent],
  );
  const loaded = useLoaded(load);
  return (
    <LoadedView loaded={loaded} label={t('Asking its servers for their tools')}>
      {(servers) => <Servers agent={agent} servers={servers} onServers={loaded.put} onReload={loaded.reload} />}
    </LoadedView>
  );
}

interface ServersProps {
  agent: string;
  servers: readonly ToolServer[];
  onServers: (servers: ToolServer[]) => void;
  onReload: () => void;
}

type Asked = { kind: 'add' } | { kind: 'edit' | 'remove'; server: ToolServer };

function Servers({ agent, servers, onServers, onReload }: ServersProps) {
  const { client } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  /** What was chosen and is not saved yet, by the name of the server. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, ChosenTools>>>({});
  const { isBusy, isDone, errorBut, submit, clear } = useSubmit();
  const chosenIn = (server: ToolServer): ChosenTools => ({ ...chosenOf(server), ...drafts[server.name] });
  const inputs = servers.map((server) => inputOf(server, drafts[server.name]));

  async function store(next: readonly ToolServerInput[]): Promise<void> {
    // With what each of them offers now.
    const stored = await client.call('setAgentTools', { username: agent, servers: [...next] });
    setDrafts({});
    onServers(stored.servers);
  }

  const close = () => setAsked(null);
  const hasDrafts = Object.keys(drafts).length > 0;
  return (
    <Stack>
      <p className="ui-about">
        {t(
          'Connect services that speak MCP. The agent uses their tools when it answers, and asks first where you say so.',
        )}
      </p>
      {servers.length === 0 ? null : (
        <ul className="ui-stack" aria-label={t('Servers of tools')}>
          {servers.map((server) => (
            <ServerCard
              key={server.name}
              agent={agent}
              server={server}
              chosen={chosenIn(server)}
              onChoose={(chosen) => {
                clear();
                setDrafts({ ...drafts, [server.name]: chosen });
              }}
              onEdit={() => setAsked({ kind: 'edit', server })}
              onRemove={() => setAsked({ kind: 'remove', server })}
              onChange={onReload}
            />
          ))}
        </ul>
      )}
      <Problem text={errorBut()} />
      <Buttons>
        <Saved isDone={isDone} />
        {servers.length < limits.toolServers ? (
          <Button onClick={() => setAsked({ kind: 'add' })}>
            <Plus aria-hidden /> {t('Add a server')}
          </Button>
        ) : null}
        {hasDrafts ? (
          <Button look="primary" isBusy={isBusy} onClick={() => void submit(async () => store(inputs))}>
            {t('Save tools')}
          </Button>
        ) : null}
      </Buttons>
      {asked?.kind === 'add' ? (
        <ServerDialog
          server={null}
          taken={servers.map(({ name }) => name)}
          // Nothing is allowed before the owner has seen what there is.
          onSave={async (server) => store([...inputs, { ...server, tools: [] }])}
          onClose={close}
        />
      ) : null}
      {asked?.kind === 'edit' ? (
        <ServerDialog
          server={asked.server}
          taken={servers.flatMap(({ name }) => (name === asked.server.name ? [] : [name]))}
          onSave={async (server) =>
            store(inputs.map((input) => (input.name === asked.server.name ? { ...input, ...server } : input)))
          }
          onClose={close}
        />
      ) : null}
      {asked?.kind === 'remove' ? (
        <Confirm
          title={t('Remove {name}?', { name: asked.server.name })}
          text={t('The agent can’t use its tools any more, and the tokens for it are deleted.')}
          action={t('Remove')}
          isDanger
          onConfirm={async () => store(inputs.filter(({ name }) => name !== asked.server.name))}
          onClose={close}
        />
      ) : null}
    </Stack>
  );
}
