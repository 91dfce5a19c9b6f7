import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { usePaused } from '../../calls/use-paused.ts';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import { CutNote } from './cut-note.tsx';
import styles from './documents.module.css';
import { type FileSource, wholeFile } from './file-bytes.ts';
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
}

type Opening = (OpenedPdf & { readonly reader: PdfReader }) | 'large' | 'locked' | 'broken';

/** The pages of a PDF below each other, each drawn when it comes near. */
export function PdfDocument({ stage, source, zoom }: PdfDocumentProps) {
  const loaded = useLoaded(useCallback(async (signal) => openPdf(source, signal), [source]));
  const { value } = loaded;
  useEffect(() => (typeof value === 'object' ? () => value.reader.close() : undefined), [value]);
  return (
    <LoadedView loaded={loaded} label={t('Loading the file')}>
      {(opening) =>
        typeof opening === 'object' ? (
          <Pages stage={stage} opened={opening} zoom={zoom} />
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

function Pages({
  stage,
  opened,
  zoom,
}: {
  stage: PdfDocumentProps['stage'];
  opened: OpenedPdf & { reader: PdfReader };
  zoom: number;
}) {
  const { pages, isCut, reader } = opened;
  const place = useRef<HTMLDivElement>(null);
  const width = usePageWidth(stage, place, zoom);
  const lastingWidth = usePaused(width, REDRAW_MS);
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
        />
      ))}
      {isCut ? <CutNote>{t('This is only the beginning of the file. Download it to see all of it.')}</CutNote> : null}
    </div>
  );
}
