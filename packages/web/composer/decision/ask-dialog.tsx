import type { Chat } from '@parley/client/store';
import { limits } from '@parley/protocol/limits';
import { useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { endTimes } from '../options/end-times.ts';
import { OptionFields } from '../options/option-fields.tsx';
import settings from '../../config/settings.module.css';
import { type AskDraft, type AskedDecision, askedOf, emptyDraft, problemOf } from './ask-form.ts';

const ends = [{ value: '', label: t('Never') }, ...endTimes];

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
      <OptionFields options={draft.options} most={limits.decisionOptions} onChange={(options) => change({ options })} />
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
