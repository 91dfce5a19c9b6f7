import { handleOf } from '../../words/shown-name.ts';
import type { Account } from '@parley/protocol';
import { type SubmitEvent, useCallback, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import styles from '../../config/settings.module.css';
import { t } from '../../words/t.ts';

const MOST_BIO = 500;

/** The form for the user's name, bio and picture. */
export function ProfileForm() {
  const { client } = useSession();
  const load = useCallback(async () => client.call('getMe'), [client]);
  const me = useLoaded(load);
  return (
    <Section title={t('Profile')} hint={t('Everyone you share a conversation with can see this.')}>
      <LoadedView loaded={me} label={t('Loading your profile')}>
        {(account) => (
          <>
            <AvatarPicker
              who={{
                name: account.display_name,
                username: account.username,
                kind: 'human',
                url: account.avatar_url,
              }}
              onChange={async (photo) =>
                me.put(await client.call('updateProfile', { avatar_file_id: photo?.id ?? null }))
              }
            />
            <Names account={account} onChange={me.put} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}

function Names({ account, onChange }: { account: Account; onChange: (account: Account) => void }) {
  const { client } = useSession();
  const [name, setName] = useState(account.display_name);
  const [bio, setBio] = useState(account.bio ?? '');
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function save(event: SubmitEvent) {
    event.preventDefault();
    const display_name = name.trim();
    if (display_name === '') return refuse('display_name', t('Enter a name so others recognize you.'));
    // Send the name only if it changed: a name older than the naming rules would be refused.
    const isRenamed = display_name !== account.display_name;
    const changes = { ...(isRenamed && { display_name }), bio: bio.trim() };
    await submit(async () => onChange(await client.call('updateProfile', changes)));
    return undefined;
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void save(event)} noValidate>
      <Field
        label={t('Name')}
        autoComplete="name"
        maxLength={64}
        value={name}
        error={errorOf('display_name')}
        onChange={({ target }) => {
          setName(target.value);
          clear();
        }}
      />
      <Field
        label={t('Username')}
        value={handleOf(account.username)}
        dir="ltr"
        readOnly
        hint={t('You can’t change your username.')}
      />
      <TextField
        label={t('About you')}
        maxLength={MOST_BIO}
        value={bio}
        dir="auto"
        error={errorOf('bio')}
        onChange={({ target }) => {
          setBio(target.value);
          clear();
        }}
      />
      <Problem text={errorBut('display_name', 'bio')} ofForm />
      <SaveButtons isBusy={isBusy} isDone={isDone} />
    </form>
  );
}
