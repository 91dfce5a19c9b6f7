import { handleOf } from '../../words/shown-name.ts';
import type { Account } from '@parley/protocol';
import { useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { Spinner } from '../../ui/states/spinner.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import { t } from '../../words/t.ts';

const MAX_BIO = 500;

/** The form for the user's name, bio and picture. */
export function ProfileForm() {
  const { client, store } = useSession();
  const me = useCell(store.me);
  return (
    <Section title={t('Profile')} hint={t('Everyone you share a conversation with can see this.')}>
      {me === null ? (
        <Spinner label={t('Loading your profile')} />
      ) : (
        <>
          <AvatarPicker
            who={{ name: me.display_name, username: me.username, kind: 'human', url: me.avatar_url }}
            onChange={async (photo) => {
              await client.call('updateProfile', { avatar_file_id: photo?.id ?? null });
            }}
          />
          <Names account={me} />
        </>
      )}
    </Section>
  );
}

function Names({ account: start }: { account: Account }) {
  const { client } = useSession();
  // What is shown as saved: what another device changes meanwhile is not changed back.
  const [account, setAccount] = useState(start);
  const [name, setName] = useState(account.display_name);
  const [bio, setBio] = useState(account.bio ?? '');
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  async function save() {
    const display_name = name.trim();
    if (display_name === '') return refuse('display_name', t('Enter a name so others recognize you.'));
    // Send the name only if it changed: a name older than the naming rules would be refused.
    const isRenamed = display_name !== account.display_name;
    const about = bio.trim();
    const changes = { ...(isRenamed && { display_name }), ...(about !== (account.bio ?? '') && { bio: about }) };
    await submit(async () => setAccount(await client.call('updateProfile', changes)));
    return undefined;
  }
  return (
    <Form onSubmit={save}>
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
        maxLength={MAX_BIO}
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
    </Form>
  );
}
