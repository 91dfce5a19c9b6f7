import type { Account, Agent, Params } from '@parley/protocol';
import { type SubmitEvent, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Field } from '../../ui/forms/field.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

interface AgentProfileProps {
  account: Account;
  onSaved: (agent: Agent) => void;
}

/** The form for the name, description and picture of one's agent or bot, which everyone sees who sees it. */
export function AgentProfile({ account, onSaved }: AgentProfileProps) {
  const { client } = useSession();
  const { username, display_name } = account;
  const [name, setName] = useState(display_name);
  const [about, setAbout] = useState(account.bio ?? '');
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const change = async (part: Omit<Params<'updateAgent'>, 'username'>) =>
    onSaved(await client.call('updateAgent', { username, ...part }));
  async function save(event: SubmitEvent) {
    event.preventDefault();
    const typed = name.trim();
    if (typed === '') return refuse('display_name', t('Enter a name so others recognize it.'));
    await submit(() => change({ display_name: typed, description: about.trim() }));
    return undefined;
  }
  return (
    <div className={styles['form']}>
      <AvatarPicker
        who={{ name: display_name, username, kind: 'agent', url: account.avatar_url }}
        onChange={(photo) => change({ avatar_file_id: photo?.id ?? null })}
      />
      <form className={styles['form']} onSubmit={(event) => void save(event)} noValidate>
        <Field
          label={t('Name')}
          maxLength={64}
          autoComplete="off"
          value={name}
          hint={t('Everyone who talks with it sees this name. It stays @{username}.', { username })}
          error={errorOf('display_name')}
          onChange={({ target }) => {
            setName(target.value);
            clear();
          }}
        />
        <Field
          label={t('Description')}
          autoComplete="off"
          placeholder={t('What people can ask it for')}
          hint={t('Optional. People see it beside the name.')}
          value={about}
          error={errorOf('description')}
          onChange={({ target }) => {
            setAbout(target.value);
            clear();
          }}
        />
        <Problem text={errorBut('display_name', 'description')} ofForm />
        <SaveButtons isBusy={isBusy} isDone={isDone} look="plain" />
      </form>
    </div>
  );
}
