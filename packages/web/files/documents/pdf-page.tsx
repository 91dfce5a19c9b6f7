import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../words/t.ts';
import styles from './documents.module.css';
import { drawingScale } from './drawing-scale.ts';
import { foundInPieces } from './found-in-pieces.ts';
import type { DrawnPage, PageSize } from './pdf-messages.ts';
import { PdfFailure, type PdfReader } from './pdf-reader.ts';

interface PdfPageProps {
  /** The element that scrolls. */
  stage: RefObject<HTMLElement | null>;
  reader: PdfReader;
  number: number;
  count: number;
  size: PageSize;
  /** In CSS pixels; 0 while it is not known. */
  width: number;
  /** The width to draw for: while the width changes, the drawing is stretched. */
  drawnWidth: number;
  /** The words that are looked for. */
  words: string;
  /** Which of their places on this page is shown; null for none. */
  shown: number | null;
}

const blank = { texts: [], isPartial: false };

/** A page of a PDF: a drawing, and its words above it, which can be selected and read aloud. */
export const PdfPage = memo(function PdfPage(props: PdfPageProps) {
  const { stage, reader, number, count, size, width, drawnWidth, words, shown } = props;
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isNear = useIsNear(stage, place);
  const [{ texts, isPartial }, setDrawn] = useState<Pick<DrawnPage, 'texts' | 'isPartial'>>(blank);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (!isNear || drawnWidth === 0 || !element) return undefined;
    const abort = new AbortController();
    reader.draw(number, drawingScale(size, drawnWidth * devicePixelRatio), abort.signal).then(
      ({ image, ...drawn }) => {
        if (abort.signal.aborted) return image.close();
        Object.assign(element, { width: image.width, height: image.height });
        element.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
        return setDrawn(drawn);
      },
      // Also if the page is far away by now: a page that takes too long is not tried again.
      (error: unknown) => error instanceof PdfFailure && setIsFailed(true),
    );
    return () => abort.abort();
  }, [reader, number, size, drawnWidth, isNear]);
  return (
    <div
      ref={place}
      className={styles['page']}
      style={{ width, aspectRatio: `${size.width} / ${size.height}` }}
      role="group"
      aria-label={t('Page {number, number} of {count, number}', { number, count })}
    >
      {isFailed ? (
        <p className={styles['failed']}>{t('This page can’t be shown here. Download the file to read it.')}</p>
      ) : isNear ? (
        <>
          <canvas ref={canvas} className={styles['drawing']} aria-hidden />
          <svg className={styles['words']} viewBox={`0 0 ${size.width} ${size.height}`}>
            <Marks texts={texts} words={words} shown={shown} />
            {texts.map(({ text, x, y, angle, width: length, height }, at) => (
              <text
                key={at}
                transform={`translate(${x} ${y}) rotate(${angle})`}
                fontSize={height}
                textLength={length}
                lengthAdjust="spacingAndGlyphs"
              >
                {text}
              </text>
            ))}
          </svg>
          {isPartial ? (
            <p className={styles['partial']}>
              {t('Some pictures can’t be shown here. Download the file to see them.')}
            </p>
          ) : null}
        </>
      ) : null}
    </div>
  );
});

/** Marks behind the texts in which the words are; scrolls to those of the place that is shown. */
function Marks({ texts, words, shown }: Pick<DrawnPage, 'texts'> & Pick<PdfPageProps, 'words' | 'shown'>) {
  const current = useRef<SVGGElement>(null);
  const places = useMemo(
    () =>
      foundInPieces(
        texts.map(({ text }) => text),
        words,
      ),
    [texts, words],
  );
  useEffect(() => {
    if (shown !== null) current.current?.scrollIntoView({ block: 'center', inline: 'nearest' });
  }, [shown, places]);
  return places.map(({ first, last }, place) => (
    <g key={place} ref={place === shown ? current : null} className={styles[place === shown ? 'current' : 'found']}>
      {texts.slice(first, last + 1).map(({ x, y, angle, width, height }, at) => (
        <rect
          key={at}
          transform={`translate(${x} ${y}) rotate(${angle})`}
          y={-height}
          width={width}
          height={height * 1.25}
        />
      ))}
    </g>
  ));
}

/** Whether an element is in view or less than a screen away. Farther pages hold no drawing. */
function useIsNear(stage: RefObject<HTMLElement | null>, place: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((entries) => setIsNear(entries.at(-1)?.isIntersecting ?? false), {
      root: stage.current,
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [stage, place]);
  return isNear;
}
