import type { Result } from '@parley/protocol';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { chatTitle } from '../../chats/chat/chat-title.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Field } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
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

/** The form for an address that receives events: which events, and of which conversations. */
export function NewSubscription({ onMade, onClose }: NewSubscriptionProps) {
  const { client, store, username } = useSession();
  const { ids } = useCell(store.chats);
  const chats = ids.flatMap((id) => store.chat(id).get() ?? []);
  const [url, setUrl] = useState('');
  const [chatId, setChatId] = useState(ALL);
  const [chosen, setChosen] = useState<readonly string[]>(eventKinds.slice(0, 1).map(({ label }) => label));
  const { isBusy, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  const { ask, dialog } = usePasswordQuestion();

  async function create() {
    const events = eventKinds.flatMap((kind) => (chosen.includes(kind.label) ? kind.events : []));
    if (!URL.canParse(url.trim()))
      return refuse('url', t('Enter the whole address, such as https://example.com/events.'));
    if (events.length === 0) return refuse('events', t('Choose at least one kind of events.'));
    const scope = chatId === ALL ? {} : { chat_id: chatId };
    await submit(async () =>
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
      isBusy={isBusy}
      onSubmit={create}
      onChange={clear}
      onClose={onClose}
      nested={dialog}
    >
      <Field
        label={t('Address')}
        type="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://"
        hint={t('Your program answers each request with a status of 200 to 299.')}
        value={url}
        error={errorOf('url')}
        onChange={({ target }) => setUrl(target.value)}
      />
      <SelectField
        label={t('Conversation')}
        options={[
          { value: ALL, label: t('All of yours') },
          ...chats.map((chat) => ({ value: chat.id, label: chatTitle(chat, username) })),
        ]}
        value={chatId}
        onChange={({ target }) => setChatId(target.value)}
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
              clear();
            }}
          />
        ))}
        <Problem text={errorOf('events')} />
      </fieldset>
      <Problem text={errorBut('url', 'events')} ofForm />
    </FormDialog>
  );
}
