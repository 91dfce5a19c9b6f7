import type { Status } from '@parley/protocol';
import { Smile } from 'lucide-react';
import { lazy, type SubmitEvent, Suspense, useRef, useState } from 'react';
import { type Submit, useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { firstDayOfWeek } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import settings from '../../config/settings.module.css';
import styles from './status-section.module.css';
import { endTime, type StatusEnd, statusEnds } from './status-ends.ts';

const EmojiPicker = lazy(async () => import('../../emoji/emoji-picker.tsx'));

const MOST_CHARACTERS = 100;
const none: Status = {};

/** Sets what others see beside the user's name (WEB-371). */
export function StatusSection() {
  const { client, store, username } = useSession();
  const status = useCell(store.presence(username))?.custom_status ?? none;
  const submit = useSubmit();
  const save = async (next: Status) => submit.submit(async () => store.putStatus(await client.call('setStatus', next)));
  return (
    <Section
      title={t('Status')}
      hint={t('Shown beside your name to people who share a conversation with you, except those you’ve blocked.')}
    >
      <StatusForm key={JSON.stringify(status)} status={status} submit={submit} onSave={save} />
    </Section>
  );
}

interface StatusFormProps {
  status: Status;
  submit: Submit;
  onSave: (status: Status) => Promise<boolean>;
}

const endLabels: Readonly<Record<StatusEnd, string>> = {
  never: t('Don’t clear'),
  half_hour: t('30 minutes'),
  hour: t('1 hour'),
  today: t('Today'),
  week: t('This week'),
  chosen: t('Choose a time'),
};

function StatusForm({ status, submit, onSave }: StatusFormProps) {
  const { isBusy, isDone, errorOf, errorBut, refuse, clear } = submit;
  const [emoji, setEmoji] = useState(status.emoji);
  const [text, setText] = useState(status.text ?? '');
  const [end, setEnd] = useState<StatusEnd | 'kept'>(status.until === undefined ? 'never' : 'kept');
  const [time, setTime] = useState('');
  const [isPicking, setIsPicking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  async function save(event: SubmitEvent) {
    event.preventDefault();
    if (emoji === undefined && text.trim() === '') return refuse('text', t('Choose an emoji or enter a text.'));
    const until = end === 'kept' ? Date.parse(status.until ?? '') : timeOf(end, time);
    if (until !== null && !(until > Date.now())) return refuse('until', t('Choose a time in the future.'));
    await onSave({ emoji, text, until: until === null ? undefined : new Date(until).toISOString() });
    return undefined;
  }

  const kept =
    status.until === undefined ? [] : [{ value: 'kept', label: t('Until {time}', { time: untilTime(status.until) }) }];
  return (
    <form className={settings['form']} onSubmit={(event) => void save(event)} noValidate>
      <div className={styles['line']}>
        <button
          ref={button}
          type="button"
          className={styles['emoji']}
          aria-label={emoji === undefined ? t('Choose an emoji') : t('Choose another emoji, now {emoji}', { emoji })}
          aria-haspopup="dialog"
          aria-expanded={isPicking}
          onClick={() => setIsPicking(!isPicking)}
        >
          {emoji === undefined ? <Smile aria-hidden /> : <EmojiSign emoji={emoji} />}
        </button>
        <Field
          className={styles['text']}
          label={t('What’s your status?')}
          maxLength={MOST_CHARACTERS}
          value={text}
          dir="auto"
          error={errorOf('text')}
          onChange={({ target }) => {
            setText(target.value);
            clear();
          }}
        />
      </div>
      <SelectField
        label={t('Clear after')}
        options={[...kept, ...statusEnds.map((value) => ({ value, label: endLabels[value] }))]}
        value={end}
        error={end === 'chosen' ? null : errorOf('until')}
        onChange={({ target }) => {
          setEnd([...statusEnds, 'kept' as const].find((one) => one === target.value) ?? 'never');
          clear();
        }}
      />
      {end === 'chosen' ? (
        <Field
          label={t('Time')}
          type="datetime-local"
          value={time}
          error={errorOf('until')}
          onChange={({ target }) => {
            setTime(target.value);
            clear();
          }}
        />
      ) : null}
      <Problem text={errorBut('text', 'until')} ofForm />
      <div className={settings['buttons']}>
        <span className={settings['done']} role="status">
          {isDone ? t('Saved') : ''}
        </span>
        {status === none ? null : (
          <Button disabled={isBusy} onClick={() => void onSave(none)}>
            {t('Clear status')}
          </Button>
        )}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Save status')}
        </Button>
      </div>
      {isPicking ? (
        <Suspense fallback={null}>
          <EmojiPicker
            anchor={button}
            onChoose={(chosen) => {
              setEmoji(chosen);
              clear();
            }}
            onClose={() => setIsPicking(false)}
          />
        </Suspense>
      ) : null}
    </form>
  );
}

/** In milliseconds; null for no end, NaN if no time was entered. */
const timeOf = (end: StatusEnd, time: string): number | null =>
  end === 'chosen' ? new Date(time).getTime() : endTime(end, new Date(), firstDayOfWeek);
