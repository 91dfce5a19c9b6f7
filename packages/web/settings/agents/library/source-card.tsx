import { fileAddress, linkAddress } from '@parley/markdown';
import type { AgentSource } from '@parley/protocol';
import { CircleAlert, CircleCheck, FileText, Globe, LoaderCircle, Pencil, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import { useSubmit } from '../../../calls/use-submit.ts';
import { useSession } from '../../../session/session.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/forms/field.tsx';
import { Switch } from '../../../ui/forms/switch.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../../ui/states/problem.tsx';
import { fileSize } from '../../../words/file-size.ts';
import { t } from '../../../words/t.ts';
import tools from '../tools/tools.module.css';
import styles from './library.module.css';

interface SourceCardProps {
  source: AgentSource;
  onChange: () => void;
  onRemove: () => void;
}

const failures: Readonly<Record<NonNullable<AgentSource['failure']>, string>> = {
  missing: t('The file is gone. Add it again.'),
  damaged: t('It can’t be read: the file is damaged.'),
  locked: t('It needs a password. Add a copy without one.'),
  too_large: t('It is too large to be read.'),
  no_text: t('There are no words in it, as in a scan.'),
  unreachable: t('The page can’t be reached. Check its address, or read it again later.'),
  not_allowed: t('The people who run this service don’t allow this address.'),
  not_a_page: t('There is no page at this address that can be read.'),
  library_full: t('There is no room for its text in the library. Remove something first.'),
  storage_full: t('Your storage is full. Delete messages or files to make room.'),
};

/** What has become of a source, in words. */
export function stateText({ state, failure, cut }: AgentSource): string {
  if (state === 'reading') return t('It is being read …');
  if (failure !== undefined) return failures[failure];
  return cut === true ? t('Ready. Only its beginning was read: it is very long.') : t('Ready');
}

/** A file or page of a library: its state, whether others may open it, and what its owner can do about it. */
export function SourceCard({ source, onChange, onRemove }: SourceCardProps) {
  const { client } = useSession();
  const [isNaming, setIsNaming] = useState(false);
  const { errorBut, submit, isBusy } = useSubmit();
  const { id: source_id, title, kind, open, state, failure, file, url } = source;
  const isOk = state === 'ready' && failure === undefined;
  const href = file ? fileAddress(file.url ?? '') : linkAddress(url ?? '');
  const change = async (call: () => Promise<unknown>): Promise<void> => {
    await submit(call);
    onChange();
  };
  const Kind = kind === 'file' ? FileText : Globe;
  return (
    <li className="ui-card ui-flush" data-source={state} aria-label={title}>
      <div className="ui-row">
        <Kind className="ui-fixed ui-aside" aria-hidden />
        <div className="ui-lines">
          <p className={styles['title']} dir="auto">
            {href === undefined ? (
              title
            ) : (
              <a href={href} target="_blank" rel="noopener noreferrer">
                {title}
              </a>
            )}
          </p>
          <p className={tools['facts']}>
            {file?.size === undefined ? url === title ? null : <bdi>{url}</bdi> : fileSize(file.size)}
          </p>
        </div>
        <IconButton label={t('Rename {name}', { name: title })} icon={<Pencil />} onClick={() => setIsNaming(true)} />
        {state === 'reading' ? null : (
          <IconButton
            label={t('Read {name} again', { name: title })}
            icon={<RefreshCw />}
            disabled={isBusy}
            onClick={() => void change(() => client.call('readAgentSource', { source_id }))}
          />
        )}
        <IconButton label={t('Remove {name}', { name: title })} icon={<Trash2 />} onClick={onRemove} />
      </div>
      <p className={classNames(tools['state'], !isOk && state !== 'reading' && tools['needs'])} role="status">
        {state === 'reading' ? (
          <LoaderCircle aria-hidden />
        ) : isOk ? (
          <CircleCheck className="ui-accent" aria-hidden />
        ) : (
          <CircleAlert aria-hidden />
        )}
        <span>{stateText(source)}</span>
      </p>
      <Switch
        label={t('Others may open it')}
        isOn={open}
        isDisabled={isBusy}
        onChange={(isOn) => void change(() => client.call('setAgentSource', { source_id, open: isOn }))}
      />
      <Problem text={errorBut()} />
      {isNaming ? <NameDialog source={source} onChange={onChange} onClose={() => setIsNaming(false)} /> : null}
    </li>
  );
}

interface NameDialogProps {
  source: AgentSource;
  onChange: () => void;
  onClose: () => void;
}

function NameDialog({ source, onChange, onClose }: NameDialogProps) {
  const { client } = useSession();
  const [title, setTitle] = useState(source.title);
  const { isBusy, errorBut, errorOf, submit } = useSubmit();
  const save = async () => {
    const isSaved = await submit(() => client.call('setAgentSource', { source_id: source.id, title: title.trim() }));
    if (!isSaved) return;
    onChange();
    onClose();
  };
  return (
    <FormDialog
      title={t('Rename {name}', { name: source.title })}
      action={t('Save')}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label={t('Name')}
        hint={t('Everybody who can use the agent sees it.')}
        value={title}
        dir="auto"
        autoFocus
        error={errorOf('title')}
        onChange={({ target }) => setTitle(target.value)}
      />
      <Problem text={errorBut('title')} ofForm />
    </FormDialog>
  );
}
