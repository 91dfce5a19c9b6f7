import type { PollInput } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { type SyntheticEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { endTimes } from '../options/end-times.ts';
import { OptionFields } from '../options/option-fields.tsx';
import { filledIn, problemOf } from './poll-form.ts';
import { t } from '../../words/t.ts';

const ends = [{ value: '', label: t('When you close it') }, ...endTimes];

interface PollDialogProps {
  /** Returns whether the poll is on its way. */
  onSend: (poll: PollInput) => boolean;
  onClose: () => void;
}

/** Writes a poll. */
export default function PollDialog({ onSend, onClose }: PollDialogProps) {
  const form = useId();
  const [question, setQuestion] = useState('');
  const [options, setOptions] = useState<readonly string[]>(['', '']);
  const [isMultiple, setIsMultiple] = useState(false);
  const [isAnonymous, setIsAnonymous] = useState(false);
  const [closesIn, setClosesIn] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: SyntheticEvent) {
    event.preventDefault();
    const poll = {
      question: question.trim(),
      options: filledIn(options),
      is_multiple: isMultiple,
      is_anonymous: isAnonymous,
      closes_in: closesIn === '' ? undefined : Number(closesIn),
    };
    const found = problemOf(poll);
    if (found === null && onSend(poll)) return onClose();
    return setProblem(found);
  }

  return (
    <Dialog
      title={t('New poll')}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button look="primary" type="submit" form={form}>
            {t('Send poll')}
          </Button>
        </>
      }
    >
      <form id={form} className="ui-stack" onSubmit={submit}>
        <Field
          label={t('Question')}
          value={question}
          dir="auto"
          autoComplete="off"
          onChange={({ target }) => {
            setProblem(null);
            setQuestion(target.value);
          }}
        />
        <OptionFields
          options={options}
          most={limits.pollOptions}
          onChange={(next) => {
            setProblem(null);
            setOptions(next);
          }}
        />
        <Switch
          label={t('Several answers')}
          hint={t('People can choose more than one option.')}
          isOn={isMultiple}
          onChange={setIsMultiple}
        />
        <Switch
          label={t('Anonymous')}
          hint={t('Nobody sees who voted for what.')}
          isOn={isAnonymous}
          onChange={setIsAnonymous}
        />
        <SelectField
          label={t('Ends')}
          options={ends}
          value={closesIn}
          onChange={({ target }) => setClosesIn(target.value)}
        />
        <Problem text={problem} />
      </form>
    </Dialog>
  );
}
