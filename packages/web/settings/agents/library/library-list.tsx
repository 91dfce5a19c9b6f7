import type { AgentSource } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { FilePlus, Globe } from 'lucide-react';
import { type DragEvent, useCallback, useEffect, useRef, useState } from 'react';
import { useLoaded } from '../../../calls/use-loaded.ts';
import { useSubmit } from '../../../calls/use-submit.ts';
import { useSession } from '../../../session/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/forms/field.tsx';
import { Buttons } from '../../../ui/layout/buttons.tsx';
import { Stack } from '../../../ui/layout/stack.tsx';
import { Confirm } from '../../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { LoadedView } from '../../../ui/states/loaded-view.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import { t } from '../../../words/t.ts';
import styles from './library.module.css';
import { SourceCard } from './source-card.tsx';

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** The library of the user's agent: its files and pages, what has become of them, and who may open them (WEB-760). */
export default function LibraryList({ agent }: { agent: string }) {
  const { client } = useSession();
  const load = useCallback(
    async () => (await client.call('getAgentSources', { username: agent })).items,
    [client, agent],
  );
  const loaded = useLoaded(load);
  const { reload } = loaded;
  useEffect(
    () => client.on('agentSourcesChanged', (changed) => changed.agent_username === agent && reload()),
    [client, agent, reload],
  );
  return (
    <LoadedView loaded={loaded} label={t('Loading its library')}>
      {(sources) => <Sources agent={agent} sources={sources} onChange={reload} />}
    </LoadedView>
  );
}

interface SourcesProps {
  agent: string;
  sources: readonly AgentSource[];
  onChange: () => void;
}

function Sources({ agent, sources, onChange }: SourcesProps) {
  const { client } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [isAddingPage, setIsAddingPage] = useState(false);
  const [removed, setRemoved] = useState<AgentSource | null>(null);
  const { isBusy, errorBut, submit } = useSubmit();
  const room = limits.sources - sources.length;

  /** One after another, so that a refusal leaves what was added before. */
  const addFiles = (files: readonly File[]) =>
    submit(async () => {
      for (const file of files) {
        const { id: file_id } = await client.api.uploadFile({ file });
        await client.call('addAgentSource', { username: agent, file_id });
        onChange();
      }
    });

  return (
    <section
      className={styles['library']}
      aria-label={t('Library')}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        setIsOver(false);
        void addFiles([...event.dataTransfer.files]);
      }}
    >
      <Stack>
        <p className="ui-about">
          {t(
            'Give it files and pages to answer from. It searches them itself and says where its answers come from. Everybody who can use it can learn from its answers what they say, and sees their names; only you can open them, unless you allow it.',
          )}
        </p>
        {sources.length === 0 ? (
          <p className="ui-hint">{t('Nothing here yet. Add a file, or drop some here.')}</p>
        ) : (
          <ul className="ui-stack" aria-label={t('Files and pages')}>
            {sources.map((source) => (
              <SourceCard key={source.id} source={source} onChange={onChange} onRemove={() => setRemoved(source)} />
            ))}
          </ul>
        )}
        <Problem text={errorBut()} />
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={t('Files for its library')}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.value = '';
            if (files.length > 0) void addFiles(files);
          }}
        />
        {room <= 0 ? (
          <p className="ui-hint">{t('The library is full. Remove something to add more.')}</p>
        ) : (
          <Buttons>
            <Button isBusy={isBusy} onClick={() => input.current?.click()}>
              <FilePlus aria-hidden /> {t('Add files')}
            </Button>
            <Button onClick={() => setIsAddingPage(true)}>
              <Globe aria-hidden /> {t('Add a page')}
            </Button>
          </Buttons>
        )}
      </Stack>
      {isAddingPage ? <PageDialog agent={agent} onChange={onChange} onClose={() => setIsAddingPage(false)} /> : null}
      {removed ? (
        <Confirm
          title={t('Remove {name}?', { name: removed.title })}
          text={t('The agent can’t answer from it any more. Its text is deleted.')}
          action={t('Remove')}
          isDanger
          onConfirm={async () => {
            await client.call('removeAgentSource', { source_id: removed.id });
            onChange();
          }}
          onClose={() => setRemoved(null)}
        />
      ) : null}
    </section>
  );
}

interface PageDialogProps {
  agent: string;
  onChange: () => void;
  onClose: () => void;
}

/** Adds a page by its address. */
function PageDialog({ agent, onChange, onClose }: PageDialogProps) {
  const { client } = useSession();
  const [url, setUrl] = useState('');
  const { isBusy, errorBut, errorOf, submit } = useSubmit();
  const save = async () => {
    const address = url.trim();
    const whole = /^https?:\/\//i.test(address) ? address : `https://${address}`;
    const isAdded = await submit(() => client.call('addAgentSource', { username: agent, url: whole }));
    if (!isAdded) return;
    onChange();
    onClose();
  };
  return (
    <FormDialog title={t('Add a page')} action={t('Add')} isBusy={isBusy} onSubmit={save} onClose={onClose}>
      <Stack>
        <Field
          label={t('Address of the page')}
          hint={t('Its text is read once. You can have it read again later.')}
          value={url}
          inputMode="url"
          dir="ltr"
          autoFocus
          placeholder="https://"
          error={errorOf('url')}
          onChange={({ target }) => setUrl(target.value)}
        />
        <Problem text={errorBut('url')} ofForm />
      </Stack>
    </FormDialog>
  );
}
