import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import { CutNote } from './cut-note.tsx';
import { type HandleRef, MAX_PLACES, type PagePlace } from './document-handle.ts';
import styles from './documents.module.css';
import { type FileSource, wholeFile } from './file-bytes.ts';
import { foundInPieces } from './found-in-pieces.ts';
import type { OpenedPdf } from './pdf-messages.ts';
import { PdfPage } from './pdf-page.tsx';
import { PdfFailure, PdfReader } from './pdf-reader.ts';
import { usePageWidth } from './use-page-width.ts';

/** Larger PDFs are only downloaded. */
const MAX_BYTES = 33_554_432;
/** How long the width stays the same before pages are drawn again; until then their drawings are stretched. */
const REDRAW_MS = 150;

interface PdfDocumentProps {
  /** The element that scrolls. */
  stage: RefObject<HTMLDivElement | null>;
  source: FileSource;
  /** 1 fits the page into the stage. */
  zoom: number;
  handle: HandleRef;
  onPage: (place: PagePlace) => void;
}

type Opening = (OpenedPdf & { readonly reader: PdfReader }) | 'large' | 'locked' | 'broken';

/** The pages of a PDF below each other, each drawn when it comes near. */
export function PdfDocument({ source, ...view }: PdfDocumentProps) {
  const loaded = useLoaded(useCallback(async (signal) => openPdf(source, signal), [source]));
  const { value } = loaded;
  useEffect(() => (typeof value === 'object' ? () => value.reader.close() : undefined), [value]);
  return (
    <LoadedView loaded={loaded} label={t('Loading the file')}>
      {(opening) =>
        typeof opening === 'object' ? (
          <Pages {...view} opened={opening} />
        ) : (
          <p className={styles['none']}>{failureText(opening)}</p>
        )
      }
    </LoadedView>
  );
}

async function openPdf(source: FileSource, signal: AbortSignal): Promise<Opening> {
  const whole = await wholeFile(source, MAX_BYTES, signal);
  if (!whole) return 'large';
  const reader = new PdfReader(whole);
  signal.addEventListener('abort', () => reader.close());
  try {
    return { ...(await reader.open()), reader };
  } catch (error) {
    reader.close();
    if (!(error instanceof PdfFailure)) throw error;
    return error.isLocked ? 'locked' : 'broken';
  }
}

function failureText(opening: 'large' | 'locked' | 'broken'): string {
  switch (opening) {
    case 'large':
      return t('This PDF is too large to be shown here. Download it to read it.');
    case 'locked':
      return t('This PDF opens only with a password. Download it to read it.');
    default:
      return t('This PDF can’t be shown here. Download it to read it.');
  }
}

type Opened = OpenedPdf & { readonly reader: PdfReader };

function Pages({ stage, opened, zoom, handle, onPage }: Omit<PdfDocumentProps, 'source'> & { opened: Opened }) {
  const { pages, isCut, reader } = opened;
  const place = useRef<HTMLDivElement>(null);
  const width = usePageWidth(stage, place, zoom);
  const lastingWidth = usePaused(width, REDRAW_MS);
  const { words, shown } = useWords(opened, place, handle);
  usePagePlace(stage, place, pages.length, onPage);
  return (
    <div ref={place} className={styles['pages']}>
      {pages.map((size, at) => (
        // Pages never change their order, so the index is a stable key.
        <PdfPage
          key={at}
          stage={stage}
          reader={reader}
          number={at + 1}
          count={pages.length}
          size={size}
          width={width}
          drawnWidth={lastingWidth === 0 ? width : lastingWidth}
          words={words}
          shown={shown?.page === at + 1 ? shown.place : null}
        />
      ))}
      {isCut ? <CutNote>{t('This is only the beginning of the file. Download it to see all of it.')}</CutNote> : null}
    </div>
  );
}

/** A place where the words are: on which page, and which of those of the page. */
interface Place {
  readonly page: number;
  readonly place: number;
}

/** Lets the viewer's bar look for words and go to pages. The words of each page are read once. */
function useWords({ pages, reader }: Opened, place: RefObject<HTMLElement | null>, handle: HandleRef) {
  const [words, setWords] = useState('');
  const [shown, setShown] = useState<Place | null>(null);
  // Before the first page is reported, after which the bar looks for what was typed meanwhile.
  useLayoutEffect(() => {
    const read = new Map<number, readonly string[]>();
    let found: readonly Place[] = [];
    const goTo = (page: number) => place.current?.children[page - 1]?.scrollIntoView({ block: 'start' });
    handle.current = {
      async find(wanted, signal) {
        setWords(wanted);
        setShown(null);
        const places: Place[] = [];
        for (let page = 1; wanted.trim() !== '' && page <= pages.length && places.length < MAX_PLACES; page += 1) {
          signal.throwIfAborted();
          // A page that cannot be read is empty.
          const texts = read.get(page) ?? (await reader.read(page, signal).catch(() => [])).map(({ text }) => text);
          signal.throwIfAborted();
          read.set(page, texts);
          places.push(...foundInPieces(texts, wanted).map((_, at) => ({ page, place: at })));
        }
        found = places.slice(0, MAX_PLACES);
        return found.length;
      },
      show(at) {
        const next = found[at];
        if (!next) return;
        // The page is drawn once it is near, and scrolls to the place itself.
        goTo(next.page);
        setShown(next);
      },
      goTo,
    };
    return () => {
      handle.current = null;
    };
  }, [handle, pages, reader, place]);
  return { words, shown };
}

/** Reports the page in the middle of the stage. */
function usePagePlace(
  stage: PdfDocumentProps['stage'],
  place: RefObject<HTMLElement | null>,
  count: number,
  onPage: PdfDocumentProps['onPage'],
): void {
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const look = () => {
      const { top, height } = element.getBoundingClientRect();
      const pages = [...(place.current?.children ?? [])].slice(0, count);
      const passed = pages.findLastIndex((page) => page.getBoundingClientRect().top <= top + height / 2);
      onPage({ number: Math.max(1, passed + 1), count });
    };
    // Also once the pages have their width.
    const observer = new ResizeObserver(look);
    if (place.current) observer.observe(place.current);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [stage, place, count, onPage]);
}
