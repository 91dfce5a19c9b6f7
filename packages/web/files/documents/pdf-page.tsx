import { memo, useEffect, useRef, useState } from 'react';
import { t } from '../../words/t.ts';
import styles from './documents.module.css';
import type { PageSize, PageText } from './pdf-messages.ts';
import type { PdfReader } from './pdf-reader.ts';

/** The most pixels of one drawing: 64 MB. */
const MOST_PIXELS = 16_777_216;

interface PdfPageProps {
  reader: PdfReader;
  number: number;
  count: number;
  size: PageSize;
  /** In CSS pixels; 0 while it is not known. */
  width: number;
  onFail: () => void;
}

/** A page of a PDF: a drawing, and its words above it, which can be selected and read aloud. */
export const PdfPage = memo(function PdfPage({ reader, number, count, size, width, onFail }: PdfPageProps) {
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isNear = useIsNear(place);
  const [texts, setTexts] = useState<readonly PageText[]>([]);
  useEffect(() => {
    const element = canvas.current;
    if (!isNear || width === 0 || !element) return undefined;
    const abort = new AbortController();
    const scale = Math.min(
      (width * devicePixelRatio) / size.width,
      Math.sqrt(MOST_PIXELS / (size.width * size.height)),
    );
    reader.draw(number, scale, abort.signal).then(
      ({ image, texts: found }) => {
        if (abort.signal.aborted) return image.close();
        Object.assign(element, { width: image.width, height: image.height });
        element.getContext('bitmaprenderer')?.transferFromImageBitmap(image);
        return setTexts(found);
      },
      () => abort.signal.aborted || onFail(),
    );
    return () => abort.abort();
  }, [reader, number, size, width, isNear, onFail]);
  return (
    <div
      ref={place}
      className={styles['page']}
      style={{ width, aspectRatio: `${size.width} / ${size.height}` }}
      role="group"
      aria-label={t('Page {number, number} of {count, number}', { number, count })}
    >
      {isNear ? (
        <>
          <canvas ref={canvas} className={styles['drawing']} aria-hidden />
          <svg className={styles['words']} viewBox={`0 0 ${size.width} ${size.height}`}>
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
        </>
      ) : null}
    </div>
  );
});

/** Whether an element is in view or less than a screen away. Farther pages hold no drawing. */
function useIsNear(place: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(([entry]) => setIsNear(entry?.isIntersecting ?? false), {
      root: element.closest('[data-viewer] [tabindex]'),
      rootMargin: '100% 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [place]);
  return isNear;
}
