import { fileAddress, linkAddress } from '@parley/markdown';
import type { Actor, AgentSource } from '@parley/protocol';
import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSession } from '../../session/session.ts';
import { Stack } from '../../ui/layout/stack.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';

interface AgentSourcesProps {
  agent: Actor;
  onClose: () => void;
}

/** What an agent answers from: the names of its files and pages, and those that may be opened (WEB-762). */
export default function AgentSources({ agent, onClose }: AgentSourcesProps) {
  const { client } = useSession();
  const { username } = agent;
  const load = useCallback(async () => (await client.call('getAgentSources', { username })).items, [client, username]);
  const loaded = useLoaded(load);
  return (
    <Dialog title={t('Library of {name}', { name: agent.display_name })} isOpen onClose={onClose}>
      <Stack>
        <LoadedView loaded={loaded} label={t('Loading its library')}>
          {(sources) =>
            sources.length === 0 ? (
              <p className="ui-hint">{t('Its owner has given it no files or pages to answer from.')}</p>
            ) : (
              <>
                <p className="ui-about">
                  {t('It answers from these files and pages. You can open those that its owner has opened to others.')}
                </p>
                <ul className="ui-stack">
                  {sources.map((source) => (
                    <li key={source.id} className="ui-break" dir="auto">
                      <SourceName source={source} />
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </LoadedView>
      </Stack>
    </Dialog>
  );
}

function SourceName({ source: { title, file, url } }: { source: AgentSource }) {
  const href = file ? fileAddress(file.url ?? '') : linkAddress(url ?? '');
  if (href === undefined) return title;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  );
}
