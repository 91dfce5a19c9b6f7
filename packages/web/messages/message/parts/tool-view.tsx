import type { PartOf, ToolStatus } from '@parley/protocol';
import {
  Ban,
  Check,
  CircleAlert,
  CircleQuestionMark,
  Clock,
  Hand,
  LoaderCircle,
  type LucideIcon,
  TimerOff,
} from 'lucide-react';
import { lazy, Suspense } from 'react';
import { classNames } from '../../../browser/class-names.ts';
import { CodeBlock } from '../../../markdown/views/code-block.tsx';
import { duration } from '../../../words/duration.ts';
import { Fold } from './fold.tsx';
import styles from './parts.module.css';
import { codeOf, toolWords } from './tool-words.ts';
import { t } from '../../../words/t.ts';

const CallContents = lazy(async () => import('./call-contents.tsx'));

const icons: Readonly<Record<ToolStatus, LucideIcon>> = {
  pending: Clock,
  needs_approval: Hand,
  running: LoaderCircle,
  done: Check,
  failed: CircleAlert,
  denied: Ban,
  unknown: CircleQuestionMark,
  expired: TimerOff,
};

const tones: Readonly<Record<keyof typeof icons, string | undefined>> = {
  pending: 'ui-faint',
  needs_approval: 'ui-warn',
  running: 'ui-accent',
  done: 'ui-accent',
  failed: 'ui-danger',
  denied: 'ui-danger',
  unknown: 'ui-faint',
  expired: 'ui-faint',
};

/** A tool that the agent used: a card that unfolds what it was given and what it answered. */
export function ToolView({ part }: { part: PartOf<'tool'> }) {
  const { name, title, status, error, duration_ms: ms = 0 } = part;
  const Icon = icons[status];
  const [input, output] = [codeOf(part.input), codeOf(part.output)];
  const line = (
    <>
      <Icon className={classNames(tones[status], status === 'running' && styles['running'])} aria-hidden />
      <span className={styles['tool']} dir="auto">
        {title ?? name}
      </span>
      <span className={styles['status']}>
        {toolWords[status]}
        {ms < 1_000 ? null : ` · ${duration(ms)}`}
      </span>
    </>
  );
  const content = () =>
    part.call_id === undefined ? (
      <div className={styles['codes']}>
        {title === undefined ? null : <code className={styles['name']}>{name}</code>}
        {input === '' ? null : <CodeBlock info={t('Input')} text={input} isBounded />}
        {output === '' ? null : <CodeBlock info={t('Output')} text={output} isBounded />}
      </div>
    ) : (
      <Suspense fallback={null}>
        <CallContents part={part} />
      </Suspense>
    );
  return (
    <div
      className={styles['card']}
      role="group"
      aria-label={t('Tool: {name}', { name: title ?? name })}
      data-status={status}
    >
      <Fold line={line} isWide>
        {input === '' && output === '' && part.call_id === undefined ? null : content}
      </Fold>
      {status === 'unknown' && part.call_id !== undefined ? (
        <p className={styles['unsure']}>
          {t('Nobody knows whether this was carried out. Look there before you ask for it again.')}
        </p>
      ) : null}
      {error ? (
        <p className={styles['error']} dir="auto">
          {error}
        </p>
      ) : null}
    </div>
  );
}
