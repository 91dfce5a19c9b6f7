import type { Chat, StoredMessage } from '@parley/client/store';
import type { Decision } from '@parley/protocol';
import { CircleHelp, Gauge, Hand, KeyRound, Lock, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../../session/session.ts';
import { Problem } from '../../../ui/states/problem.tsx';
import { decisionText, optionLabel } from '../../../words/decision-words.ts';
import { duration } from '../../../words/duration.ts';
import { t } from '../../../words/t.ts';
import { fullTime } from '../../../words/times.ts';
import { plainLine } from '../../../chats/chat/preview.ts';
import { AnswerForm } from './answer-form.tsx';
import { ChainPrice } from './chain-price.tsx';
import { CallFacts } from './call-facts.tsx';
import { audienceText, decidersText, mayDecide } from './deciders.ts';
import styles from './decision.module.css';
import { LoginForm } from './login-form.tsx';
import { Outcome } from './outcome.tsx';
import { type Deciding, useDecide } from './use-decide.ts';
import { useLeft } from './use-left.ts';

interface CardProps {
  chat: Chat;
  message: StoredMessage;
  decision: Decision;
}

const icons: Readonly<Record<Decision['kind'], LucideIcon>> = {
  question: CircleHelp,
  call: Hand,
  input: CircleHelp,
  login: KeyRound,
  budget: Gauge,
  permission: Hand,
};

/** A decision: what it is about, who may decide and until when, its options, and its outcome. */
export default function DecisionCard({ chat, message, decision: stored }: CardProps) {
  const { username, may } = useSession();
  const deciding = useDecide(message, stored);
  const { decision, isLate, errorBut } = deciding;
  const leftMs = useLeft(decision.expires_at);
  const isOpen = decision.state === 'open' && leftMs !== 0;
  const isMine = may('decide') && mayDecide(chat, message, decision, username);
  const { card, status } = useKeptFocus(isOpen);
  const Icon = icons[decision.kind];
  return (
    <div
      ref={card}
      className={styles['card']}
      role="group"
      aria-label={plainLine(message, () => undefined)}
      data-text
      data-decision={decision.kind}
      data-state={decision.state}
    >
      <p className={styles['head']}>
        <Icon aria-hidden />
        <span>{isOpen ? headText(decision, isMine) : t('Decision')}</span>
        {decision.private ? (
          <span className={styles['badge']}>
            <Lock aria-hidden />
            {audienceText(chat, message, decision, username)}
          </span>
        ) : null}
      </p>
      <About chat={chat} message={message} decision={decision} isOpen={isOpen} />
      {isOpen && isMine ? <Answer message={message} deciding={deciding} /> : null}
      {isOpen && !isMine && decision.kind === 'question' ? <Choices decision={decision} /> : null}
      {isOpen ? (
        <p className={styles['foot']}>
          <span>{decidersText(chat, decision, username)}</span>
          {leftMs === null ? null : (
            <span title={fullTime(decision.expires_at ?? '')}>
              {t('Expires in {duration}', { duration: duration(leftMs) })}
            </span>
          )}
        </p>
      ) : null}
      <div ref={status} className={styles['outcome']} role="status" tabIndex={-1}>
        {isLate ? <p className="ui-aside ui-warn">{t('Your answer came too late. This is the outcome:')}</p> : null}
        {isOpen ? null : (
          <Outcome chat={chat} decision={decision.state === 'open' ? { ...decision, state: 'expired' } : decision} />
        )}
      </div>
      <Problem text={errorBut(...(decision.form ?? []).map(({ key }) => key))} />
    </div>
  );
}

/** What others can choose. */
const Choices = ({ decision }: { decision: Decision }) => (
  <ul className={styles['choices']} aria-label={t('Options')}>
    {decision.options.map((option) => (
      <li key={option.id} dir="auto">
        {optionLabel(decision, option)}
      </li>
    ))}
  </ul>
);

function headText({ kind }: Decision, isMine: boolean): string {
  if (!isMine) return t('Waiting for a decision');
  return kind === 'question' || kind === 'input' ? t('Please decide') : t('Needs your decision');
}

/** What the card says of the matter itself, where the message's text does not. */
function About({ chat, message, decision, isOpen }: CardProps & { isOpen: boolean }) {
  const { kind, call, input, budget } = decision;
  if (kind === 'call' && call)
    return <CallFacts chat={chat} message={message} decision={decision} call={call} isOpen={isOpen} />;
  if (kind === 'input' && input)
    return (
      <p className="ui-about">
        {t('The question comes from {tool} on {host}. What you fill in is sent there.', {
          tool: input.tool,
          host: input.host,
        })}
      </p>
    );
  if (kind !== 'login' && kind !== 'budget') return null;
  return (
    <>
      <p className={styles['question']} dir="auto">
        {plainLine({ ...message, content: decisionText({ ...message, decision }) }, () => undefined)}
      </p>
      {budget?.chain ? <ChainPrice messageIds={budget.chain.message_ids} /> : null}
    </>
  );
}

function Answer({ message, deciding }: { message: StoredMessage; deciding: Deciding }) {
  const { kind, login } = deciding.decision;
  return kind === 'login' && login ? (
    <LoginForm agent={message.sender.username} login={login} deciding={deciding} />
  ) : (
    <AnswerForm deciding={deciding} />
  );
}

/** The buttons go when a decision has ended: a focus that was on one of them goes to the outcome. */
function useKeptFocus(isOpen: boolean) {
  const card = useRef<HTMLDivElement>(null);
  const status = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    const element = card.current;
    if (!element || !isOpen) return undefined;
    const note = () => (hadFocus.current = true);
    const drop = ({ relatedTarget }: FocusEvent) => {
      // A button that is removed has no next target, and neither has a window that is left.
      if (relatedTarget) hadFocus.current = false;
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', drop);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', drop);
    };
  }, [isOpen]);
  useEffect(() => {
    if (isOpen || !hadFocus.current) return;
    hadFocus.current = false;
    if (document.activeElement === document.body || card.current?.contains(document.activeElement))
      status.current?.focus({ preventScroll: true });
  }, [isOpen]);
  return { card, status };
}
