import { useState } from 'react';
import { randomName } from '../../browser/random-name.ts';
import { useSubmit } from '../../calls/use-submit.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import { untilTime } from '../../words/times.ts';
import styles from './later.module.css';
import { localInput, presets } from './presets.ts';

interface WhenDialogProps {
  title: string;
  /** The label of the button that takes another time than the usual ones. */
  action: string;
  /** Rejects if the service refuses; then the dialog stays open and says why. A repeated attempt has the same name. */
  onChoose: (at: Date, attempt: string) => Promise<unknown>;
  /** Asks for times that repeat instead. */
  onRepeat?: (() => void) | null | undefined;
  onClose: () => void;
}

/** Asks for a time: one of the usual ones, or any other within a year. */
export default function WhenDialog({ title, action, onChoose, onRepeat, onClose }: WhenDialogProps) {
  // The times that the dialog offers do not change while it is open.
  const [now] = useState(() => new Date());
  const [attempt] = useState(randomName);
  const [chosen, setChosen] = useState('');
  const { isBusy, errorBut, submit } = useSubmit();
  async function choose(at: Date) {
    if (await submit(() => onChoose(at, attempt))) onClose();
  }
  // Stays open while it is busy: success empties the composer, and with it what was typed meanwhile.
  const close = () => {
    if (!isBusy) onClose();
  };
  return (
    <Dialog title={title} isOpen onClose={close}>
      <div className={styles['presets']}>
        {presets(now).map(({ label, at }, index) => (
          <button
            key={label}
            type="button"
            className="ui-hover"
            data-focus={index === 0 || undefined}
            disabled={isBusy}
            onClick={() => void choose(at)}
          >
            <span>{label}</span>
            <time className="ui-note" dateTime={at.toISOString()}>
              {untilTime(at.toISOString())}
            </time>
          </button>
        ))}
      </div>
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== '') void choose(new Date(chosen));
        }}
      >
        <Field
          className="ui-grow"
          label={t('Another time')}
          type="datetime-local"
          min={localInput(now)}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        />
        <Button type="submit" look="primary" disabled={chosen === ''} isBusy={isBusy}>
          {action}
        </Button>
      </form>
      {onRepeat ? (
        <Button className={styles['repeat']} look="quiet" disabled={isBusy} onClick={onRepeat}>
          {t('Repeat …')}
        </Button>
      ) : null}
      <Problem text={errorBut()} />
    </Dialog>
  );
}
