import { memo, type ReactNode } from 'react';
import { colorNames, type LineColors } from '../highlight/colors.ts';
import styles from './code-block.module.css';

interface CodeLineViewProps {
  text: string;
  colors: LineColors;
  isLast: boolean;
}

/** A line of code. What its colours do not cover is plain. */
export const CodeLineView = memo(function CodeLineView({ text, colors, isLast }: CodeLineViewProps) {
  const pieces: ReactNode[] = [];
  let done = 0;
  for (let at = 0; at < colors.length; at += 2) {
    const start = done;
    done += colors[at] ?? 0;
    const piece = text.slice(start, done);
    const name = colorNames[colors[at + 1] ?? 0] ?? 'plain';
    pieces.push(
      name === 'plain' ? (
        piece
      ) : (
        <span key={at} className={styles[name]}>
          {piece}
        </span>
      ),
    );
  }
  return (
    <>
      {pieces}
      {text.slice(done)}
      {isLast ? null : '\n'}
    </>
  );
});
