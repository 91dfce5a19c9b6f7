import { readFormula } from '@parley/markdown';
import { Fragment, memo, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import { drawSoon } from './formula-queue.ts';
import type { drawFormula } from './katex.ts';
import styles from './markdown.module.css';
import { t } from '../../words/t.ts';

type Draw = typeof drawFormula;

/** Longer formulas are shown as written: drawing them could stop the page. */
const MAX_LENGTH = 4_096;

let draw: Draw | undefined;
let loading: Promise<void> | undefined;
const load = (): Promise<void> =>
  (loading ??= import('./katex.ts')
    .then((loaded) => {
      draw = loaded.drawFormula;
    })
    .catch(() => {
      loading = undefined;
    }));

/** A formula, drawn; as written until the library is loaded, and if it cannot be drawn (TEXT-8). */
export const FormulaView = memo(function FormulaView({ text }: { text: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isDrawn, setIsDrawn] = useState(false);
  const [isWide, setIsWide] = useState(false);
  const [isLoaded, setIsLoaded] = useState(draw !== undefined);
  const { tex, isDisplay } = readFormula(text);
  useLayoutEffect(() => {
    const element = place.current;
    if (text.length > MAX_LENGTH) {
      element?.replaceChildren();
      setIsDrawn(false);
      return undefined;
    }
    let isShown = true;
    if (!draw) void load().then(() => isShown && setIsLoaded(draw !== undefined));
    const drawWith = draw;
    const takeBack =
      drawWith &&
      element &&
      drawSoon(() => {
        setIsDrawn(canDraw(drawWith, tex, isDisplay, element));
        return () => setIsWide(isDisplay || isWiderThanText(element));
      });
    return () => {
      isShown = false;
      takeBack?.();
    };
  }, [text, tex, isDisplay, isLoaded]);
  return (
    <span
      className={classNames(
        isDrawn && styles['formula'],
        isDrawn && isWide && styles[isDisplay ? 'displayed' : 'wide'],
      )}
      // Focusable, so that the keyboard can scroll it.
      {...(isDrawn && isWide && { tabIndex: 0, role: 'group', 'aria-label': t('Formula') })}
    >
      {/* Copying yields the text as written. */}
      <span className={classNames(isDrawn && styles['source'])} aria-hidden={isDrawn} dir="ltr">
        {text.split('\n').map((line, at) => (
          <Fragment key={at}>
            {at > 0 && <br />}
            {line}
          </Fragment>
        ))}
      </span>
      <span ref={place} className={styles['drawing']} dir="ltr" />
    </span>
  );
});

/** Most space beside a message's text in its timeline, in pixels. */
const BESIDE_PX = 100;

/** KaTeX breaks lines only between its bases. */
const isWiderThanText = (element: HTMLElement): boolean => {
  // The message itself may have become as wide as the formula.
  const bases = element.querySelectorAll('.katex-html > *');
  if (bases.length === 0) return false;
  const most = (element.closest<HTMLElement>('[role=log]')?.clientWidth ?? Infinity) - BESIDE_PX;
  return [...bases].some((base) => base.getBoundingClientRect().width > most);
};

function canDraw(drawWith: Draw, tex: string, isDisplay: boolean, element: HTMLElement): boolean {
  try {
    drawWith(tex, isDisplay, element);
    return true;
  } catch {
    element.replaceChildren();
    return false;
  }
}
