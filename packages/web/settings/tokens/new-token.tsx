import type { Result, TokenScope } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { useState } from 'react';
import { useForm } from '../../calls/use-form.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { classNames } from '../../browser/class-names.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../../config/settings.module.css';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { scopeWords } from './scope-words.ts';

const ALL = '';
const DAY_SECONDS = 86_400;
const lifetimes = [
  { value: String(7 * DAY_SECONDS), label: t('After a week') },
  { value: String(30 * DAY_SECONDS), label: t('After a month') },
  { value: String(365 * DAY_SECONDS), label: t('After a year') },
  { value: ALL, label: t('Never') },
];

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
  const form = useForm(fields, { name: '', chat_id: ALL, expires_in: lifetimes[1]?.value ?? ALL });
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
      <fieldset className={classNames(styles['group'], styles['apart'])}>
        <legend>{t('What it may do')}</legend>
        {scopeWords.map(({ scope, label, hint }) => (
          <Switch
            key={scope}
            label={label}
            hint={hint}
            isOn={scopes.includes(scope)}
            onChange={(isOn) => {
              setScopes(isOn ? [...scopes, scope] : scopes.filter((other) => other !== scope));
              form.clear();
            }}
          />
        ))}
        <Problem text={form.errorOf('scopes')} />
      </fieldset>
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
