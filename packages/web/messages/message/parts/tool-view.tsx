import type { PartOf } from '@parley/protocol';
import { lazy, Suspense } from 'react';
import { CodeBlock } from '../../../markdown/views/code-block.tsx';
import { ToolStatusIcon, toolWords } from '../../../ui/tool-status.tsx';
import { duration } from '../../../words/duration.ts';
import { Fold } from './fold.tsx';
import styles from './parts.module.css';
import { codeOf } from './tool-words.ts';
import { toolTitle } from '../../../words/tool-title.ts';
import { t } from '../../../words/t.ts';

const CallContents = lazy(async () => import('./call-contents.tsx'));

/** A tool that the agent used: a card that unfolds what it was given and what it answered. */
export function ToolView({ part }: { part: PartOf<'tool'> }) {
  const { name, title, status, error, duration_ms: ms = 0 } = part;
  const [input, output] = [codeOf(part.input), codeOf(part.output)];
  const line = (
    <>
      <ToolStatusIcon status={status} />
      <span className={styles['tool']} dir="auto">
        {toolTitle(part)}
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
      aria-label={t('Tool: {name}', { name: toolTitle(part) })}
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
