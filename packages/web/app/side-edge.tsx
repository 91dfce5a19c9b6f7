import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../browser/class-names.ts';
import { arrows, direction } from '../words/language.ts';
import { t } from '../words/t.ts';
import styles from './side-edge.module.css';
import { fittingWidth, saveSideWidth, sideWidths } from './side-width.ts';

/** Pixels that an arrow key moves the edge. */
const STEP = 16;

/**
 * The edge between the list and the conversation: dragged, or moved with the arrow keys, it makes the list wider or
 * narrower; a double click gives it its usual width.
 */
export default function SideEdge({ onWidth }: { onWidth: (width: number | null) => void }) {
  const edge = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<number>(sideWidths.least);
  const boxOf = (): DOMRect | undefined => edge.current?.parentElement?.getBoundingClientRect();

  // The window's width has a say too.
  useLayoutEffect(() => {
    const side = edge.current?.parentElement;
    if (!side) return undefined;
    const observer = new ResizeObserver(() => setShown(Math.round(side.getBoundingClientRect().width)));
    observer.observe(side);
    return () => observer.disconnect();
  }, []);

  const choose = (width: number | null): void => {
    onWidth(width);
    saveSideWidth(width);
  };
  const drag = ({ buttons, clientX }: PointerEvent): void => {
    const box = boxOf();
    if (buttons === 1 && box) choose(fittingWidth(direction === 'rtl' ? box.right - clientX : clientX - box.left));
  };
  const onKey = (event: KeyboardEvent): void => {
    const to = {
      [arrows.forward]: shown + STEP,
      [arrows.back]: shown - STEP,
      Home: sideWidths.least,
      End: sideWidths.most,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(fittingWidth(to));
  };
  return (
    <div
      ref={edge}
      className={classNames(styles['edge'], 'ui-no-phone')}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of the list')}
      aria-valuenow={shown}
      aria-valuemin={sideWidths.least}
      aria-valuemax={sideWidths.most}
      tabIndex={0}
      onPointerDown={(event) => {
        if (event.button === 0) event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      onDoubleClick={() => choose(null)}
      onKeyDown={onKey}
    />
  );
}
