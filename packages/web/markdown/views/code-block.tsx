import { ChevronDown, WrapText } from 'lucide-react';
import { memo, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { useCodeLines } from '../highlight/use-code-lines.ts';
import { calmText } from '../../words/calm-text.ts';
import styles from './code-block.module.css';
import { CodeLines } from './code-lines.tsx';
import { CopyAction } from './copy-action.tsx';
import { t } from '../../words/t.ts';

/** Longer code is folded … */
const MAX_LINES = 40;
/** … to its first lines. */
const FOLDED_LINES = 24;

interface CodeBlockProps {
  info: string;
  text: string;
  /** Long lines wrap, and a long text scrolls in a box of its own. */
  isBounded?: boolean;
  /** Buttons in the head. */
  actions?: ReactNode;
  /** Displayed instead of the code. */
  drawing?: ReactNode;
}

/** A code block with its language, a copy button, and the colours of its language (WEB-170). */
export const CodeBlock = memo(function CodeBlock({
  info,
  text,
  isBounded = false,
  actions = null,
  drawing = null,
}: CodeBlockProps) {
  const [isWrapped, setIsWrapped] = useState(isBounded);
  return (
    <figure className={styles['block']}>
      <figcaption className={styles['head']}>
        <span className={styles['language']}>{info === '' ? 'code' : info}</span>
        {actions}
        {isBounded || drawing !== null ? null : (
          <button
            type="button"
            className={styles['action']}
            data-fold
            aria-pressed={isWrapped}
            onClick={() => setIsWrapped(!isWrapped)}
          >
            <WrapText />
            <span>{t('Wrap')}</span>
          </button>
        )}
        <CopyAction text={() => text} />
      </figcaption>
      {drawing ?? <Code {...{ info, text, isBounded, isWrapped }} />}
    </figure>
  );
});

interface CodeProps {
  info: string;
  text: string;
  isBounded: boolean;
  isWrapped: boolean;
}

function Code({ info, text, isBounded, isWrapped }: CodeProps) {
  const lines = useCodeLines(
    isBounded ? '' : info,
    useMemo(() => calmText(text), [text]),
  );
  const isLong = lines.length > MAX_LINES && !isBounded;
  const fold = useFold(isLong, lines.length);
  const first = isLong ? lines.slice(0, FOLDED_LINES) : lines;
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it. */}
      <pre
        className={classNames(styles['code'], isBounded && styles['bounded'], isWrapped && styles['wrapped'])}
        tabIndex={0}
        dir="ltr"
        aria-label={info === '' ? t('Code') : t('Code, {info}', { info })}
      >
        <code>
          <CodeLines lines={first} isEnd={!isLong} />
          {isLong ? (
            <span ref={fold.rest} className={styles['rest']}>
              <CodeLines lines={lines.slice(FOLDED_LINES)} isEnd />
            </span>
          ) : null}
        </code>
      </pre>
      {isLong ? (
        <button type="button" className={styles['fold']} data-fold aria-expanded={fold.isOpen} onClick={fold.toggle}>
          <ChevronDown />
          {fold.isOpen ? t('Show less') : t('Show all {count, number} lines', { count: lines.length })}
        </button>
      ) : null}
    </>
  );
}

interface Fold {
  isOpen: boolean;
  toggle: () => void;
  rest: RefObject<HTMLSpanElement | null>;
}

/** Long code is folded, but not while it grows; what is folded is still found in the page. */
function useFold(isLong: boolean, lineCount: number): Fold {
  const [isOpen, setIsOpen] = useState(!isLong);
  const [firstCount] = useState(lineCount);
  if (!isOpen && (!isLong || lineCount !== firstCount)) setIsOpen(true);
  const rest = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = rest.current;
    if (isOpen || !element) return undefined;
    // React knows no `hidden="until-found"`.
    element.setAttribute('hidden', 'until-found');
    const open = () => {
      element.removeAttribute('hidden');
      setIsOpen(true);
    };
    element.addEventListener('beforematch', open);
    return () => {
      element.removeAttribute('hidden');
      element.removeEventListener('beforematch', open);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setIsOpen(!isOpen), rest };
}
