import type { Chat } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { Check, Clock, Undo2, X } from 'lucide-react';
import { classNames } from '../../../browser/class-names.ts';
import type { ReactNode } from 'react';
import { Rows } from '../../../markdown/tags/card.tsx';
import { useSession } from '../../../session/session.ts';
import { chosenLabel } from '../../../words/decision-words.ts';
import { t } from '../../../words/t.ts';
import { fullTime, untilTime } from '../../../words/times.ts';
import { wordFor } from '../../../config/fields.ts';
import { nameIn } from './deciders.ts';
import styles from './decision.module.css';

/** How a decision has ended: what was chosen, by whom and when, or that nobody decided. */
export function Outcome({ chat, decision }: { chat: Chat; decision: Decision }) {
  if (decision.state === 'expired')
    return <Ending icon={<Clock aria-hidden />} text={t('Expired: nobody decided in time.')} />;
  if (decision.state === 'withdrawn')
    return <Ending icon={<Undo2 aria-hidden />} text={t('Withdrawn: there is nothing to decide any more.')} />;
  return <Decided chat={chat} decision={decision} />;
}

const Ending = ({ icon, text }: { icon: ReactNode; text: string }) => (
  <p className={classNames('ui-remark', styles['ending'])}>
    {icon}
    <span className="ui-break">{text}</span>
  </p>
);

function Decided({ chat, decision }: { chat: Chat; decision: Decision }) {
  const { username } = useSession();
  const { option: id, decided_by: by = '', decided_at: at = '', form = [], fields = {} } = decision;
  const isNo = id === 'decline' || id === 'stop';
  const time = at === '' ? '' : untilTime(at);
  return (
    <>
      <p className={classNames('ui-remark', styles['ending'])}>
        {isNo ? <X aria-hidden /> : <Check className="ui-accent" aria-hidden />}
        <span className="ui-break">
          <strong dir="auto">{chosenLabel(decision)}</strong>{' '}
          <span className="ui-aside" title={at === '' ? undefined : fullTime(at)}>
            {by === username ? t('You, {time}', { time }) : t('{name}, {time}', { name: nameIn(chat, by), time })}
          </span>
        </span>
      </p>
      <Rows
        rows={form.flatMap((field) => {
          const value = fields[field.key];
          return value === undefined || value === '' ? [] : [[field.label, wordFor(field, String(value))] as const];
        })}
      />
    </>
  );
}
