import type { PollInput } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { X } from 'lucide-react';
import { type SyntheticEvent, useId, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { filledIn, problemOf } from './poll-form.ts';
import styles from './poll-dialog.module.css';
import { t } from '../../words/t.ts';

const ends = [
  { value: '', label: t('When you close it') },
  { value: '3600', label: t('After an hour') },
  { value: '86400', label: t('After a day') },
  { value: '259200', label: t('After three days') },
  { value: '604800', label: t('After a week') },
];

interface PollDialogProps {
  /** Returns whether the poll is on its way. */
  onSend: (poll: PollInput) => boolean;
  onClose: () => void;
}

/** Writes a poll. An empty field for one more option follows the last one. */
export default function PollDialog({ onSend, onClose }: PollDialogProps) {
  const form = useId();
  const [question, setQuestion] = useState('');
  const [options, setOptions] = useState<readonly string[]>(['', '']);
  const [isMultiple, setIsMultiple] = useState(false);
  const [isAnonymous, setIsAnonymous] = useState(false);
  const [closesIn, setClosesIn] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  const write = (at: number, text: string) => {
    setProblem(null);
    const next = options.map((option, index) => (index === at ? text : option));
    const isFull = next.length === limits.pollOptions || next.at(-1)?.trim() === '';
    setOptions(isFull ? next : [...next, '']);
  };

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
      <form id={form} className={styles['form']} onSubmit={submit}>
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
        {options.map((option, at) => (
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
                onClick={() => setOptions(options.filter((_, index) => index !== at))}
              />
            ) : null}
          </div>
        ))}
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
