import { handleOf } from '../../words/shown-name.ts';
import type { Account } from '@parley/protocol';
import { useCallback, useEffect, useState } from 'react';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { useLoaded } from '../../calls/use-loaded.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Field, TextField } from '../../ui/forms/field.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { SaveButtons } from '../../ui/forms/save-buttons.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { AvatarPicker } from '../../files/avatar-picker.tsx';
import { t } from '../../words/t.ts';

const MAX_BIO = 500;

/** The form for the user's name, bio and picture. */
export function ProfileForm() {
  const { client, store } = useSession();
  // Without a socket the store may know no account, and hears of no change.
  const load = useCallback(async () => store.me.get() ?? client.call('getMe'), [client, store]);
  const account = useLoaded(load);
  const { put } = account;
  const stored = useCell(store.me);
  useEffect(() => {
    if (stored) put(stored);
  }, [stored, put]);
  return (
    <Section title={t('Profile')} hint={t('Everyone you share a conversation with can see this.')}>
      <LoadedView loaded={account} label={t('Loading your profile')}>
        {(me) => (
          <>
            <AvatarPicker
              who={{ name: me.display_name, username: me.username, kind: 'human', url: me.avatar_url }}
              onChange={async (photo) => put(await client.call('updateProfile', { avatar_file_id: photo?.id ?? null }))}
            />
            <Names account={me} onSaved={put} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}

interface NamesProps {
  account: Account;
  onSaved: (account: Account) => void;
}

function Names({ account: start, onSaved }: NamesProps) {
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
    await submit(async () => {
      // The service refuses a call without a field.
      if (Object.keys(changes).length === 0) return;
      const saved = await client.call('updateProfile', changes);
      setAccount(saved);
      onSaved(saved);
    });
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
