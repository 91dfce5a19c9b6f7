import type { Result, TokenScope } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { useState } from 'react';
import { useForm } from '../../calls/use-form.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { FormField } from '../../ui/forms/form-field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { ALL, lifetimes, MONTH, ScopeSwitches } from './scope-switches.tsx';

const fields = {
  name: {
    kind: 'line',
    label: t('What is it for?'),
    maxBytes: limits.nameBytes,
    problem: (typed: string) => (typed.trim() === '' ? t('Give the token a name.') : null),
  },
  chat_id: { kind: 'choice', label: t('Conversation') },
  expires_in: { kind: 'choice', label: t('Expires') },
} as const;

interface NewTokenProps {
  onMade: (made: Result<'createAccessToken'>) => void;
  onClose: () => void;
}

/** The form for an access token: read-only unless its maker chooses more (WEB-640). */
export function NewToken({ onMade, onClose }: NewTokenProps) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  const form = useForm(fields, { name: '', chat_id: ALL, expires_in: MONTH });
  const { ask, dialog } = usePasswordQuestion();
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['read']);

  async function create() {
    const { name, chat_id, expires_in } = form.draft;
    if (fields.name.problem(name) === null && scopes.length === 0)
      return form.refuse('scopes', t('Choose at least one.'));
    await form.send(async () =>
      onMade(
        await ask((given) =>
          client.call('createAccessToken', {
            name: name.trim(),
            scopes: [...scopes],
            ...(chat_id !== ALL && { chat_ids: [chat_id] }),
            ...(expires_in !== ALL && { expires_in: Number(expires_in) }),
            ...given,
          }),
        ),
      ),
    );
    return undefined;
  }

  return (
    <FormDialog
      title={t('New access token')}
      action={t('Add')}
      isBusy={form.isBusy}
      onSubmit={create}
      onClose={onClose}
      nested={dialog}
    >
      <FormField {...form.field('name')} />
      <ScopeSwitches
        scopes={scopes}
        error={form.errorOf('scopes')}
        onChange={(chosen) => {
          setScopes(chosen);
          form.clear();
        }}
      />
      <FormField
        {...form.field('chat_id')}
        options={[
          { value: ALL, label: t('All of yours') },
          ...chats.map((chat) => ({ value: chat.id, label: chatTitle(chat, username) })),
        ]}
      />
      <FormField {...form.field('expires_in')} options={lifetimes} />
      <Problem text={form.errorOf('scopes') === null ? form.otherError : null} ofForm />
    </FormDialog>
  );
}
