import type { CodeLine } from '../highlight/code-colors.ts';
import styles from './code-block.module.css';
import { CodeLineView } from './code-line.tsx';

const GROUP_LINES = 16;

/** Each group of lines is laid out and painted by itself: a growing block costs no more the longer it is. */
export function CodeLines({ lines, isEnd }: { lines: readonly CodeLine[]; isEnd: boolean }) {
  return Array.from({ length: Math.ceil(lines.length / GROUP_LINES) }, (_, group) => (
    <span key={group} className={styles['group']}>
      {lines.slice(group * GROUP_LINES, (group + 1) * GROUP_LINES).map(({ text, colors }, at) => (
        <CodeLineView
          key={at}
          text={text}
          colors={colors}
          isLast={isEnd && group * GROUP_LINES + at === lines.length - 1}
        />
      ))}
    </span>
  ));
}
