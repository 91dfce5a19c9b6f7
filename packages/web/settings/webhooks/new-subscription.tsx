import type { Result } from '@parley/protocol';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useForm } from '../../calls/use-form.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { FormField } from '../../ui/forms/form-field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from '../../config/settings.module.css';
import { usePasswordQuestion } from '../account/ask-password.tsx';
import { eventKinds } from './event-kinds.ts';

interface NewSubscriptionProps {
  onMade: (made: Result<'createWebhookSubscription'>) => void;
  onClose: () => void;
}

const ALL = '';

const fields = {
  url: {
    kind: 'address',
    label: t('Address'),
    placeholder: 'https://',
    hint: t('Your program answers each request with a status of 200 to 299.'),
    problem: (typed: string) =>
      URL.canParse(typed.trim()) ? null : t('Enter the whole address, such as https://example.com/events.'),
  },
  chat_id: { kind: 'choice', label: t('Conversation') },
} as const;

/** The form for an address that receives events: which events, and of which conversations. */
export function NewSubscription({ onMade, onClose }: NewSubscriptionProps) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  const form = useForm(fields, { url: '', chat_id: ALL });
  const { url, chat_id } = form.draft;
  const [chosen, setChosen] = useState<readonly string[]>(eventKinds.slice(0, 1).map(({ label }) => label));
  const { ask, dialog } = usePasswordQuestion();

  async function create() {
    const events = eventKinds.flatMap((kind) => (chosen.includes(kind.label) ? kind.events : []));
    if (fields.url.problem(url) === null && events.length === 0)
      return form.refuse('events', t('Choose at least one kind of events.'));
    const scope = chat_id === ALL ? {} : { chat_id };
    await form.send(async () =>
      onMade(
        await ask((given) => client.call('createWebhookSubscription', { url: url.trim(), events, ...scope, ...given })),
      ),
    );
    return undefined;
  }

  return (
    <FormDialog
      title={t('New address for events')}
      action={t('Add')}
      isBusy={form.isBusy}
      onSubmit={create}
      onClose={onClose}
      nested={dialog}
    >
      <FormField {...form.field('url')} dir="ltr" />
      <FormField
        {...form.field('chat_id')}
        options={[
          { value: ALL, label: t('All of yours') },
          ...chats.map((chat) => ({ value: chat.id, label: chatTitle(chat, username) })),
        ]}
      />
      <fieldset className={classNames(styles['group'], styles['apart'])}>
        <legend>{t('What it receives')}</legend>
        {eventKinds.map(({ label, events }) => (
          <Switch
            key={label}
            label={label}
            hint={<code>{events.join(', ')}</code>}
            isOn={chosen.includes(label)}
            onChange={(isOn) => {
              setChosen(isOn ? [...chosen, label] : chosen.filter((other) => other !== label));
              form.clear();
            }}
          />
        ))}
        <Problem text={form.errorOf('events')} />
      </fieldset>
      <Problem text={form.errorOf('events') === null ? form.otherError : null} ofForm />
    </FormDialog>
  );
}
