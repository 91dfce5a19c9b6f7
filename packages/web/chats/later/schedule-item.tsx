import type { Schedule } from '@parley/protocol';
import { type ReactNode, useState } from 'react';
import { useSubmit } from '../../calls/use-submit.ts';
import { useSession } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { t } from '../../words/t.ts';
import styles from './later.module.css';
import { lastText, stateText, timesText } from './schedule-words.ts';

/** A schedule in the list: what it sends and when, what became of the last run, and what can be done with it. */
export function ScheduleItem({ schedule, where }: { schedule: Schedule; where: ReactNode }) {
  const { client } = useSession();
  const { isBusy, errorBut, submit } = useSubmit();
  const [isAsking, setIsAsking] = useState(false);
  const { id: schedule_id, text, when, state, agent_username: agent } = schedule;
  const last = lastText(schedule);
  return (
    <li className="ui-card ui-flush">
      {where}
      <p className={styles['text']} dir="auto">
        {text}
      </p>
      <p className="ui-note">
        {timesText(when)}
        {agent === undefined ? null : ` · ${t('Answered by {name}', { name: `@${agent}` })}`}
      </p>
      <p className="ui-note">{stateText(schedule)}</p>
      {last ? <p className={last.isError ? styles['failed'] : 'ui-note'}>{last.text}</p> : null}
      <div className="ui-wrap">
        <Button
          size="small"
          isBusy={isBusy}
          onClick={() => void submit(() => client.call('runSchedule', { schedule_id }))}
        >
          {t('Send now')}
        </Button>
        {state === 'ended' ? null : (
          <Button
            size="small"
            disabled={isBusy}
            onClick={() => void submit(() => client.call('pauseSchedule', { schedule_id, paused: state === 'active' }))}
          >
            {state === 'active' ? t('Pause') : t('Go on')}
          </Button>
        )}
        <Button size="small" look="quiet" disabled={isBusy} onClick={() => setIsAsking(true)}>
          {t('Delete')}
        </Button>
      </div>
      <Problem text={errorBut()} />
      {isAsking ? (
        <Confirm
          title={t('Delete this schedule?')}
          text={t('Nothing more will be sent. What was sent stays.')}
          action={t('Delete')}
          isDanger
          onConfirm={() => client.call('deleteSchedule', { schedule_id })}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </li>
  );
}
