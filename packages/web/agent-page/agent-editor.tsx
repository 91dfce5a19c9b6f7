import type { Agent } from '@parley/protocol';
import { useEffect, useRef } from 'react';
import { classNames } from '../browser/class-names.ts';
import { useLeaveGuard } from '../browser/use-leave-guard.ts';
import { Buttons } from '../ui/layout/buttons.tsx';
import { Button } from '../ui/button.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Saved } from '../ui/states/done.tsx';
import { Confirm } from '../ui/overlays/confirm.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { AgentLibrary } from '../settings/agents/library/agent-library.tsx';
import { AgentTools } from '../settings/agents/tools/agent-tools.tsx';
import type { AgentDraft } from './agent-draft.ts';
import { type MyAgents, useAgentForm } from './agent-form.ts';
import styles from './agent-page.module.css';
import { AnswersStep } from './answers-step.tsx';
import { AudienceStep } from './audience-step.tsx';
import { IdentityStep } from './identity-step.tsx';
import { fieldsOfSteps, steps } from './steps.ts';
import { TrialChat } from './trial-chat.tsx';
import { t } from '../words/t.ts';

interface AgentEditorProps {
  known: Agent | null;
  start: AgentDraft;
  mine: MyAgents;
  /** Whether the agent was made a moment ago: its chat opens, and the last step is next. */
  isFresh: boolean;
  onMade: (agent: Agent) => void;
}

const ANSWERS = 1;
const AUDIENCE = 2;

/** The form for an agent in three steps, and a chat with the agent beside it. */
export function AgentEditor({ known, start, mine, isFresh, onMade }: AgentEditorProps) {
  const form = useAgentForm({ known, start, mine, firstStep: isFresh ? AUDIENCE : 0 });
  const { agent, step, hasChanges, go, save, isBusy, isDone, errorBut } = form;
  const guard = useLeaveGuard(hasChanges);
  const isNew = known === null;
  const heading = useRef<HTMLHeadingElement>(null);
  const trial = useRef<HTMLElement>(null);
  const stepper = useRef<HTMLOListElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus({ preventScroll: true });
    stepper.current?.scrollIntoView({ block: 'nearest' });
  }, [step]);

  /** On a narrow screen the chat is below the form. */
  const sayHello = () => trial.current?.querySelector('textarea')?.focus();

  async function confirm() {
    if (isNew && step < ANSWERS) return go(step + 1);
    const saved = await save();
    if (saved && isNew) {
      guard.release();
      onMade(saved);
    }
    return undefined;
  }

  return (
    <div className={styles['columns']}>
      <div className={styles['form']}>
        <ol ref={stepper} className={styles['steps']} aria-label={t('Steps')}>
          {steps.map(({ title }, at) => (
            <li key={title}>
              <button
                type="button"
                className="ui-ink"
                aria-current={at === step ? 'step' : undefined}
                data-done={at < step || undefined}
                disabled={isNew && at > ANSWERS}
                onClick={() => go(at)}
              >
                {at + 1}. {title}
              </button>
            </li>
          ))}
        </ol>
        <Form onSubmit={confirm}>
          {/* The steps above show it too: it is for screen readers, and takes the focus when a step opens. */}
          <h2 ref={heading} className="ui-spoken" tabIndex={-1}>
            {steps[step]?.title}
          </h2>
          {isFresh && step === AUDIENCE ? (
            <div className={styles['ready']}>
              <p role="status">
                {t('{name} is ready, and only you can use it so far. Say hello, then decide who else can use it.', {
                  name: known?.display_name ?? '',
                })}
              </p>
              <Button size="small" className={styles['hello']} onClick={sayHello}>
                {t('Say hello')}
              </Button>
            </div>
          ) : null}
          {step === 0 ? <IdentityStep form={form} isNew={isNew} /> : null}
          {step === ANSWERS ? <AnswersStep form={form} /> : null}
          {step === AUDIENCE ? <AudienceStep form={form} /> : null}
          <Problem text={errorBut(...fieldsOfSteps)} ofForm />
          <Buttons className={styles['end']}>
            <Saved isDone={isDone} />
            {isNew && step > 0 ? <Button onClick={() => go(step - 1)}>{t('Back')}</Button> : null}
            <Button type="submit" look="primary" isBusy={isBusy}>
              {isNew ? (step < ANSWERS ? t('Next') : t('Create and try it')) : t('Save')}
            </Button>
          </Buttons>
        </Form>
        {agent === null ? null : (
          <>
            <AgentLibrary agent={agent.username} />
            <AgentTools agent={agent.username} />
          </>
        )}
      </div>
      <aside
        ref={trial}
        className={classNames(styles['trial'], agent === null && styles['waiting'])}
        aria-label={t('Trial chat')}
      >
        <TrialChat username={agent?.username ?? null} isWanted={isFresh} />
      </aside>
      {guard.isAsking ? (
        <Confirm
          title={t('Discard your changes?')}
          text={
            agent === null
              ? t('You haven’t created this agent yet. If you leave, what you entered is lost.')
              : t('You haven’t saved your changes. If you leave, the agent stays as it was.')
          }
          action={t('Discard')}
          isDanger
          onConfirm={async () => guard.leave()}
          onClose={guard.stay}
        />
      ) : null}
    </div>
  );
}
