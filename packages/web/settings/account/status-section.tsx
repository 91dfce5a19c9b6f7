import { msUntil } from '@parley/protocol/dates';
import type { Status } from '@parley/protocol';
import { Smile } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { useCell } from '../../session/use-cell.ts';
import { Done } from '../../ui/states/done.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { EmojiSign } from '../../emoji/emoji-sign.tsx';
import { firstDayOfWeek } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import styles from './status-section.module.css';
import { endTime, type StatusEnd, statusEnds } from './status-ends.ts';

const EmojiPicker = lazy(async () => import('../../emoji/emoji-picker.tsx'));

const MAX_CHARACTERS = 100;
const none: Status = {};

/** What the form shows. */
interface Draft {
  emoji: string | undefined;
  text: string;
  end: StatusEnd | 'kept';
  /** The end of the stored status, for `kept`: the status may become unknown while it is edited. */
  until: string | undefined;
  /** The entered time, for `chosen`. */
  time: string;
}

const draftOf = ({ emoji, text = '', until }: Status): Draft => ({
  emoji,
  text,
  end: until === undefined ? 'never' : 'kept',
  until,
  time: '',
});

/** Sets what others see beside the user's name. */
export function StatusSection() {
  return (
    <Section
      title={t('Status')}
      hint={t('Shown beside your name to people who share a conversation with you, except those you’ve blocked.')}
    >
      <StatusForm />
    </Section>
  );
}

const endLabels: Readonly<Record<StatusEnd, string>> = {
  never: t('Don’t clear'),
  half_hour: t('30 minutes'),
  hour: t('1 hour'),
  today: t('Today'),
  week: t('This week'),
  chosen: t('Choose a time'),
};

function StatusForm() {
  const { client, store, username } = useSession();
  const status = useCell(store.presence(username))?.custom_status ?? none;
  const { isBusy, isDone, errorOf, errorBut, submit, refuse, clear } = useSubmit();
  /** Null until the user changes something: the form shows the stored status. */
  const [draft, setDraft] = useState<Draft | null>(null);
  const { emoji, text, end, until, time } = draft ?? draftOf(status);
  const [isPicking, setIsPicking] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function edit(change: Partial<Draft>) {
    setDraft((now) => ({ ...(now ?? draftOf(status)), ...change }));
    clear();
  }

  async function put(next: Status) {
    const isSaved = await submit(async () => store.putStatus(await client.call('setStatus', next)));
    // What was changed meanwhile stays.
    if (isSaved) setDraft((now) => (now === draft ? null : now));
  }

  async function save() {
    if (emoji === undefined && text.trim() === '') return refuse('text', t('Choose an emoji or enter a text.'));
    const endMs = end === 'kept' ? Date.parse(until ?? '') : timeOf(end, time);
    if (endMs !== null && !(msUntil(endMs, Date.now()) > 0)) return refuse('until', t('Choose a time in the future.'));
    await put({ emoji, text, until: endMs === null ? undefined : new Date(endMs).toISOString() });
    return undefined;
  }

  const kept = until === undefined ? [] : [{ value: 'kept', label: t('Until {time}', { time: untilTime(until) }) }];
  return (
    <Form onSubmit={save}>
      <div className="ui-beside">
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
          className="ui-fill"
          label={t('What’s your status?')}
          maxLength={MAX_CHARACTERS}
          value={text}
          dir="auto"
          error={errorOf('text')}
          onChange={({ target }) => edit({ text: target.value })}
        />
      </div>
      <SelectField
        label={t('Clear after')}
        options={[...kept, ...statusEnds.map((value) => ({ value, label: endLabels[value] }))]}
        value={end}
        error={end === 'chosen' ? null : errorOf('until')}
        onChange={({ target }) =>
          edit({ end: [...statusEnds, 'kept' as const].find((one) => one === target.value) ?? 'never' })
        }
      />
      {end === 'chosen' ? (
        <Field
          label={t('Time')}
          type="datetime-local"
          value={time}
          error={errorOf('until')}
          onChange={({ target }) => edit({ time: target.value })}
        />
      ) : null}
      <Problem text={errorBut('text', 'until')} ofForm />
      <Buttons>
        <Done>{isDone ? t('Saved') : ''}</Done>
        {status === none ? null : (
          <Button disabled={isBusy} onClick={() => void put(none)}>
            {t('Clear status')}
          </Button>
        )}
        <Button type="submit" look="primary" isBusy={isBusy}>
          {t('Save status')}
        </Button>
      </Buttons>
      {isPicking ? (
        <Suspense fallback={null}>
          <EmojiPicker
            anchor={button}
            onChoose={(chosen) => edit({ emoji: chosen })}
            onClose={() => setIsPicking(false)}
          />
        </Suspense>
      ) : null}
    </Form>
  );
}

/** In milliseconds; null for no end, NaN if no time was entered. */
const timeOf = (end: StatusEnd, time: string): number | null =>
  end === 'chosen' ? new Date(time).getTime() : endTime(end, new Date(), firstDayOfWeek);
