import type { Chat } from '@parley/client/store';
import { limits } from '@parley/protocol/limits';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { IconButton } from '../../ui/button.tsx';
import { Field, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import styles from '../poll/poll-dialog.module.css';
import settings from '../../config/settings.module.css';
import { type AskDraft, type AskedDecision, askedOf, emptyDraft, problemOf } from './ask-form.ts';

const ends = [
  { value: '', label: t('Never') },
  { value: '3600', label: t('After an hour') },
  { value: '86400', label: t('After a day') },
  { value: '259200', label: t('After three days') },
  { value: '604800', label: t('After a week') },
];

interface AskDialogProps {
  chat: Chat;
  /** Rejects if the service refuses. */
  onSend: (asked: AskedDecision) => Promise<void>;
  onClose: () => void;
}

/** Asks people of the conversation to decide: a question, its options, who decides, and until when. */
export default function AskDialog({ chat, onSend, onClose }: AskDialogProps) {
  const [draft, setDraft] = useState(emptyDraft);
  // Of the message: a second attempt after a lost answer makes no second one.
  const [id] = useState(() => crypto.randomUUID());
  const { isBusy, errorBut, submit, refuse, clear } = useSubmit();
  const change = (part: Partial<AskDraft>) => {
    setDraft({ ...draft, ...part });
    clear();
  };
  async function send() {
    const problem = problemOf(draft);
    if (problem !== null) return refuse('form', problem);
    if (await submit(async () => onSend(askedOf(draft, id)))) onClose();
    return undefined;
  }
  return (
    <FormDialog title={t('Ask for a decision')} action={t('Ask')} isBusy={isBusy} onSubmit={send} onClose={onClose}>
      <TextField
        label={t('Question')}
        value={draft.question}
        rows={2}
        dir="auto"
        onChange={({ target }) => change({ question: target.value })}
      />
      <Options options={draft.options} onChange={(options) => change({ options })} />
      <SelectField
        label={t('Who decides')}
        value={draft.who}
        hint={t('The first answer counts.')}
        options={[
          { value: 'anyone', label: t('Anyone in this conversation') },
          ...(chat.kind === 'group' ? [{ value: 'admins', label: t('The owner and admins of the group') }] : []),
          { value: 'people', label: t('People you choose') },
        ]}
        onChange={({ target }) => change({ who: target.value as AskDraft['who'] /* one of the options */ })}
      />
      {draft.who === 'people' ? <Deciders chat={chat} draft={draft} onChange={change} /> : null}
      <SelectField
        label={t('Expires')}
        options={ends}
        value={draft.expiresIn}
        onChange={({ target }) => change({ expiresIn: target.value })}
      />
      <Problem text={errorBut()} ofForm />
    </FormDialog>
  );
}

interface OptionsProps {
  options: readonly string[];
  onChange: (options: readonly string[]) => void;
}

/** An empty field for one more option follows the last one. */
function Options({ options, onChange }: OptionsProps) {
  const write = (at: number, text: string) => {
    const next = options.map((option, index) => (index === at ? text : option));
    const isFull = next.length === limits.decisionOptions || next.at(-1)?.trim() === '';
    onChange(isFull ? next : [...next, '']);
  };
  return options.map((option, at) => (
    // Options have no identity besides their place.
    <div key={at} className={styles['option']}>
      <Field
        className="ui-grow"
        label={t('Option {number, number}', { number: at + 1 })}
        value={option}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => write(at, target.value)}
      />
      {options.length > 2 && option !== '' ? (
        <IconButton
          label={t('Remove option {number, number}', { number: at + 1 })}
          icon={<X />}
          onClick={() => onChange(options.filter((_, index) => index !== at))}
        />
      ) : null}
    </div>
  ));
}

interface DecidersProps {
  chat: Chat;
  draft: AskDraft;
  onChange: (part: Partial<AskDraft>) => void;
}

/** The people of the conversation, each with a switch, and whether only they see the question. */
function Deciders({ chat, draft: { people, isPrivate }, onChange }: DecidersProps) {
  return (
    <>
      <fieldset className={settings['group']}>
        <legend>{t('People')}</legend>
        {chat.participants
          .filter(({ kind }) => kind === 'human')
          .map((person) => (
            <Switch
              key={person.username}
              label={shownName(person)}
              isOn={people.includes(person.username)}
              onChange={(isOn) =>
                onChange({
                  people: isOn ? [...people, person.username] : people.filter((one) => one !== person.username),
                })
              }
            />
          ))}
      </fieldset>
      <Switch
        label={t('Only they see it')}
        hint={t('The question and its outcome are for them and you alone.')}
        isOn={isPrivate}
        onChange={(isOn) => onChange({ isPrivate: isOn })}
      />
    </>
  );
}
