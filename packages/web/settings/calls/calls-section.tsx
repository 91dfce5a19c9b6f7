import type { ToolStatus } from '@parley/protocol';
import { useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import settings from '../../config/settings.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { Buttons } from '../../ui/layout/buttons.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { toolWords } from '../../ui/tool-status.tsx';
import { shownName } from '../../words/shown-name.ts';
import { t } from '../../words/t.ts';
import { CallRow } from './call-row.tsx';
import styles from './calls.module.css';
import { useCalls } from './use-calls.ts';

/** In the order in which people look for them. */
const statuses = ['needs_approval', 'running', 'done', 'failed', 'denied', 'expired', 'unknown', 'pending'] as const;

/** The calls of the last 90 days (CALL-18), by status and agent. */
export function CallsSection() {
  const [status, setStatus] = useState<ToolStatus | ''>('');
  const [agent, setAgent] = useState('');
  const { loaded, agents, more, showMore } = useCalls(status, agent);
  const isFiltered = status !== '' || agent !== '';
  // A filter that hides nothing is not offered.
  const hasCalls = isFiltered || (loaded.value?.items.length ?? 0) > 0;
  return (
    <Section
      title={t('What agents did as me')}
      hint={t(
        'Each use of a tool in the last 90 days that you asked for, or that was made with your account by an agent of yours.',
      )}
    >
      {hasCalls ? (
        <div className={settings['pair']}>
          <SelectField
            label={t('State')}
            value={status}
            options={[{ value: '', label: t('All') }, ...statuses.map((value) => ({ value, label: toolWords[value] }))]}
            onChange={({ target }) => setStatus(statuses.find((one) => one === target.value) ?? '')}
          />
          <SelectField
            label={t('Agent')}
            value={agent}
            options={[
              { value: '', label: t('All') },
              ...agents.map((one) => ({ value: one.username, label: shownName(one) })),
            ]}
            onChange={({ target }) => setAgent(target.value)}
          />
        </div>
      ) : null}
      <LoadedView
        loaded={loaded}
        label={t('Loading what agents did')}
        isEmpty={({ items }) => items.length === 0}
        empty={
          isFiltered
            ? t('There is nothing of this kind in the last 90 days.')
            : t(
                'No agent has used a tool for you yet. When one does, you see here what it did, and with whose account.',
              )
        }
      >
        {({ items, next }) => (
          <>
            <ul className={classNames('ui-bare', styles['list'])}>
              {items.map((call) => (
                <CallRow key={call.call_id} call={call} />
              ))}
            </ul>
            {next === undefined ? null : (
              <Buttons>
                <Button isBusy={more.isBusy} onClick={() => showMore(next)}>
                  {t('Show more')}
                </Button>
              </Buttons>
            )}
            <Problem text={more.errorBut()} />
          </>
        )}
      </LoadedView>
    </Section>
  );
}
