import { readFormula } from '@parley/markdown';
import { Fragment, memo, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../browser/class-names.ts';
import type { drawFormula } from './katex.ts';
import styles from './markdown.module.css';

type Draw = typeof drawFormula;

/** Longer formulas are shown as written: drawing them could stop the page. */
const MOST_LENGTH = 4_096;

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
  const [isLoaded, setIsLoaded] = useState(draw !== undefined);
  const { tex, isDisplay } = readFormula(text);
  useLayoutEffect(() => {
    if (text.length > MOST_LENGTH) return undefined;
    let isShown = true;
    if (!draw) void load().then(() => isShown && setIsLoaded(draw !== undefined));
    else if (place.current) setIsDrawn(canDraw(draw, tex, isDisplay, place.current));
    return () => {
      isShown = false;
    };
  }, [text, tex, isDisplay, isLoaded]);
  return (
    <span className={classNames(isDrawn && styles['formula'], isDrawn && isDisplay && styles['displayed'])}>
      {/* Copying yields the text as written. */}
      <span className={classNames(isDrawn && styles['source'])} aria-hidden={isDrawn}>
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

function canDraw(drawWith: Draw, tex: string, isDisplay: boolean, element: HTMLElement): boolean {
  try {
    drawWith(tex, isDisplay, element);
    return true;
  } catch {
    element.replaceChildren();
    return false;
  }
}
