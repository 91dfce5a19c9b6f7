import type { Chat } from '@parley/client/store';
import type { ScheduleTimes } from '@parley/protocol';
import { useEffect, useState } from 'react';
import { randomName } from '../../browser/random-name.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { errorText } from '../../words/error-text.ts';
import { isAgent } from '../../words/is-webhook.ts';
import { listOf } from '../../words/list-of.ts';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import styles from './later.module.css';
import { type Repeat, timesOf, zones } from './repeat-form.ts';
import { dayName } from './schedule-words.ts';

/** What repeats: the times, and the agent that answers; undefined for whom the text itself asks. */
export interface Repeated {
  when: ScheduleTimes;
  agent_username: string | undefined;
}

interface RepeatDialogProps {
  chat: Chat;
  /** Rejects if the service refuses; then the dialog stays open and says why. A repeated attempt has the same name. */
  onChoose: (repeated: Repeated, attempt: string) => Promise<unknown>;
  onClose: () => void;
}

const PREVIEWED = 3;

/** Asks at which times a text is sent again and again, and shows the next ones. */
export default function RepeatDialog({ chat, onChoose, onClose }: RepeatDialogProps) {
  const [attempt] = useState(randomName);
  const [repeat, setRepeat] = useState<Repeat>({
    every: 'week',
    days: [1, 2, 3, 4, 5],
    time: '09:00',
    minute: 0,
    dayOfMonth: 1,
    zone: zones[0] ?? 'UTC',
  });
  const [agent, setAgent] = useState('');
  const { isBusy, errorBut, submit } = useSubmit();
  const change = (changed: Partial<Repeat>) => setRepeat({ ...repeat, ...changed });
  const when = timesOf(repeat);
  const agents = chat.participants.filter(isAgent);
  const close = () => {
    if (!isBusy) onClose();
  };
  async function choose() {
    if (!when) return;
    const repeated = { when, agent_username: agent === '' ? undefined : agent };
    if (await submit(() => onChoose(repeated, attempt))) onClose();
  }
  return (
    <Dialog title={t('Repeat')} isOpen onClose={close}>
      <form
        className="ui-stack"
        onSubmit={(event) => {
          event.preventDefault();
          void choose();
        }}
      >
        <SelectField
          label={t('How often')}
          value={repeat.every}
          options={[
            { value: 'hour', label: t('Every hour') },
            { value: 'day', label: t('Every day') },
            { value: 'week', label: t('On days of the week') },
            { value: 'month', label: t('Every month') },
          ]}
          onChange={({ target }) => change({ every: target.value as Repeat['every'] })} // one of the options
        />
        {repeat.every === 'week' ? <Days days={repeat.days} onChange={(days) => change({ days })} /> : null}
        {repeat.every === 'month' ? (
          <Field
            label={t('Day of the month')}
            hint={t('In a month without this day: on its last day.')}
            type="number"
            min={1}
            max={31}
            required
            value={repeat.dayOfMonth || ''}
            onChange={({ target }) => change({ dayOfMonth: target.valueAsNumber || 0 })}
          />
        ) : null}
        {repeat.every === 'hour' ? (
          <Field
            label={t('Minute')}
            type="number"
            min={0}
            max={59}
            required
            value={repeat.minute}
            onChange={({ target }) => change({ minute: target.valueAsNumber || 0 })}
          />
        ) : (
          <Field
            label={t('Time of day')}
            type="time"
            required
            value={repeat.time}
            onChange={({ target }) => change({ time: target.value })}
          />
        )}
        <SelectField
          label={t('Time zone')}
          value={repeat.zone}
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
          onChange={({ target }) => change({ zone: target.value })}
        />
        {agents.length === 0 ? null : (
          <SelectField
            label={t('Who answers')}
            value={agent}
            options={[
              { value: '', label: t('Whoever the text asks') },
              ...agents.map((one) => ({ value: one.username, label: shownName(one) })),
            ]}
            onChange={({ target }) => setAgent(target.value)}
          />
        )}
        <Next when={when} />
        <Button type="submit" look="primary" disabled={!when} isBusy={isBusy}>
          {t('Repeat')}
        </Button>
      </form>
      <Problem text={errorBut()} />
    </Dialog>
  );
}

/** A box for each day of the week. */
function Days({ days, onChange }: { days: readonly number[]; onChange: (days: number[]) => void }) {
  return (
    <fieldset className={styles['days']}>
      <legend className="ui-label">{t('Days')}</legend>
      {[1, 2, 3, 4, 5, 6, 7].map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={days.includes(day)}
            onChange={({ target }) => onChange(target.checked ? [...days, day] : days.filter((one) => one !== day))}
          />
          {dayName(day)}
        </label>
      ))}
    </fieldset>
  );
}

/** The next times, which the service reckons. */
function Next({ when }: { when: ScheduleTimes | null }) {
  const { client } = useSession();
  const asked = JSON.stringify(when);
  const [shown, setShown] = useState({ asked: '', text: '' });
  useEffect(() => {
    if (!when) return;
    const show = (text: string) => setShown({ asked, text });
    client.call('previewSchedule', { when, count: PREVIEWED }).then(
      ({ items }) => show(t('Next: {time}', { time: listOf(items.map((item) => untilTime(item))) })),
      (error: unknown) => show(errorText(error)),
    );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `asked` is the content of `when`
  }, [client, asked]);
  return (
    <p className="ui-note" role="status">
      {when && shown.asked === asked ? shown.text : '…'}
    </p>
  );
}
