import { ApiError } from '@parley/client';
import type { UserGroup } from '@parley/protocol';
import { useState } from 'react';
import { PersonPicker } from '../../chats/people/person-picker.tsx';
import { type Person, usePartners } from '../../chats/people/use-known-people.ts';
import { useNamesOf } from '../../chats/people/use-names-of.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';

interface UserGroupDialogProps {
  /** Null for a new one. */
  group: UserGroup | null;
  /** Told what the group of this name is now; null if it is deleted. */
  onDone: (name: string, group: UserGroup | null) => void;
  onClose: () => void;
}

const personNamed = (username: string): Person => ({ username, kind: 'human', display_name: username });

/** Makes a group of people, or changes or deletes one. Its name never changes, because messages mention it. */
export function UserGroupDialog({ group, onDone, onClose }: UserGroupDialogProps) {
  const { client } = useSession();
  const partners = usePartners();
  const [name, setName] = useState(group?.name ?? '');
  const [title, setTitle] = useState(group?.title ?? '');
  const [picked, setPicked] = useState<readonly Person[]>(group?.usernames.map(personNamed) ?? []);
  const [isAsking, setIsAsking] = useState(false);
  const { isBusy, errorOf, errorBut, submit, clear } = useSubmit();
  const names = useNamesOf(picked.map(({ username }) => username));

  const save = () =>
    submit(
      async () => {
        const usernames = picked.map(({ username }) => username);
        const input = { name: name.trim().replace(/^@/, ''), title: title.trim(), usernames };
        const saved = await client.call(group ? 'updateUserGroup' : 'createUserGroup', input);
        onDone(saved.name, saved);
      },
      (error) =>
        error instanceof ApiError && error.code === 'conflict'
          ? { field: 'name', text: t('This name is taken by an account or a group.') }
          : null,
    );

  return (
    <FormDialog
      title={group ? group.title : t('New group of people')}
      action={group ? t('Save') : t('Create group')}
      isBusy={isBusy}
      onSubmit={save}
      onClose={onClose}
      nested={
        group && isAsking ? (
          <Confirm
            title={t('Delete {name}?', { name: group.title })}
            text={t('Its people stay where they are. A mention of it notifies nobody any more.')}
            action={t('Delete')}
            isDanger
            onConfirm={async () => {
              await client.call('deleteUserGroup', { name: group.name });
              onDone(group.name, null);
            }}
            onClose={() => setIsAsking(false)}
          />
        ) : null
      }
    >
      {group ? null : (
        <Field
          label={t('Name')}
          hint={t('What people type after an @.')}
          value={name}
          error={errorOf('name')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={({ target }) => {
            setName(target.value);
            clear();
          }}
        />
      )}
      <Field
        label={t('Title')}
        value={title}
        dir="auto"
        error={errorOf('title')}
        autoComplete="off"
        onChange={({ target }) => {
          setTitle(target.value);
          clear();
        }}
      />
      <PersonPicker
        picked={picked.map((person, at) => ({ ...person, display_name: names[at] ?? person.username }))}
        onChange={setPicked}
        known={partners}
        isOffered={({ kind }) => kind === 'human'}
        label={t('Search people by name')}
        empty={t('Type a name to find someone.')}
      />
      <Problem text={errorBut('name', 'title')} ofForm />
      {group ? (
        <Buttons atStart>
          <Button look="danger" size="small" onClick={() => setIsAsking(true)}>
            {t('Delete group')}
          </Button>
        </Buttons>
      ) : null}
    </FormDialog>
  );
}
