import { fileAddress } from '@parley/markdown';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { arrows } from '../../words/language.ts';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import { documentKind } from '../document-kind.ts';
import type { DocumentHandle, PagePlace } from '../documents/document-handle.ts';
import styles from '../documents/documents.module.css';
import type { FileSource } from '../documents/file-bytes.ts';
import { handleOf } from '../documents/find-in-element.ts';
import { OfficeDocument } from '../documents/office-document.tsx';
import { PdfDocument } from '../documents/pdf-document.tsx';
import { TextDocument } from '../documents/text-document.tsx';
import { useFileAddress } from '../use-file-address.ts';
import type { ViewedMessage } from '../open-file.ts';
import { DocumentBar } from './document-bar.tsx';
import type { GalleryKind } from './gallery.ts';
import { useGallery } from './use-gallery.ts';
import { ViewerFrame } from './viewer-frame.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

const STEP = 1.25;
const MAX_ZOOM = 4;

interface DocumentViewerProps {
  message: ViewedMessage;
  file: Attachment;
  onClose: () => void;
}

const documents: GalleryKind = { media: 'files', isShown: (file) => documentKind(file) !== null };

/** Shows a document over the whole page, and leads to the others of the conversation. */
export default function DocumentViewer({ message, file, onClose }: DocumentViewerProps) {
  const { item, hasPrevious, hasNext, move } = useGallery(message, file, documents);
  const shown = item ?? { key: 'opened', message, file };
  return (
    <ShownDocument
      key={shown.key}
      message={shown.message}
      file={shown.file}
      onPrevious={hasPrevious ? () => move(-1) : undefined}
      onNext={hasNext ? () => move(1) : undefined}
      onClose={onClose}
    />
  );
}

interface ShownDocumentProps extends DocumentViewerProps {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
}

function ShownDocument({ message, file, onPrevious, onNext, onClose }: ShownDocumentProps) {
  const stage = useRef<HTMLDivElement>(null);
  const handle = useRef<DocumentHandle>(null);
  const [zoom, setZoom] = useState(1);
  const [page, setPage] = useState<PagePlace | null>(null);
  const source = useFileSource(message.id, file);
  const picture = useFileAddress(message.id, file);
  const kind = documentKind(file);
  const isPdf = kind === 'pdf';
  const isOffice = kind === 'document' || kind === 'spreadsheet' || kind === 'presentation';
  const changes = useChanges(isPdf ? null : stage);
  useEffect(() => {
    // A PDF has a handle of its own, once it is open.
    if (isPdf) return undefined;
    const own = handleOf(() => stage.current);
    handle.current = own;
    return () => void own.find('', AbortSignal.abort());
  }, [isPdf]);
  const zoomIn = () => setZoom((before) => Math.min(MAX_ZOOM, before * STEP));
  const zoomOut = () => setZoom((before) => Math.max(1, before / STEP));
  /** What is wider than the stage is scrolled by the arrows. */
  const turn = (act: (() => void) | undefined) => () => {
    const { scrollWidth = 0, clientWidth = 0 } = stage.current ?? {};
    if (scrollWidth <= clientWidth) act?.();
  };
  const keys = {
    [arrows.back]: turn(onPrevious),
    [arrows.forward]: turn(onNext),
    ...(isPdf && { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': () => setZoom(1) }),
  };
  return (
    <ViewerFrame
      message={message}
      file={file}
      buttons={isPdf ? <ZoomButtons isWhole={zoom === 1} zoomIn={zoomIn} zoomOut={zoomOut} /> : null}
      initialFocus={stage}
      keys={keys}
      onClose={onClose}
    >
      {/* Focusable, so that the keyboard scrolls it. */}
      <div ref={stage} className={styles['stage']} tabIndex={0} role="region" aria-label={t('Document')}>
        {/* Of a drawing the text follows; documents are shown as they are. */}
        {file.thumbnail_url === undefined || isPdf || isOffice ? null : (
          <img
            className={styles['picture']}
            src={picture.file.thumbnail_url}
            alt={file.name}
            onError={picture.onFail}
          />
        )}
        {isPdf ? <PdfDocument {...{ stage, source, zoom, handle }} onPage={setPage} /> : null}
        {isOffice ? (
          <OfficeDocument message={message} file={file} source={source} />
        ) : kind === null || kind === 'pdf' ? null : (
          <TextDocument message={message} file={file} kind={kind} source={source} />
        )}
      </div>
      <DocumentBar
        {...{ handle, page }}
        changes={isPdf ? (page?.count ?? 0) : changes}
        onPrevious={onPrevious}
        onNext={onNext}
      />
    </ViewerFrame>
  );
}

/** Counts how often other elements are on the stage: the document has loaded, or got its colours. */
function useChanges(stage: RefObject<HTMLElement | null> | null): number {
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (!stage?.current) return undefined;
    const observer = new MutationObserver(() => setChanges((before) => before + 1));
    observer.observe(stage.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [stage]);
  return changes;
}

/** Stays the same while the file is shown, so that it is loaded once. */
function useFileSource(messageId: string, file: Attachment): FileSource {
  const { refresh } = useFileAddress(messageId, file);
  const [source] = useState(() => ({
    url: fileAddress(file.url ?? '') ?? '',
    size: file.size,
    refresh: async () => fileAddress((await refresh()).url ?? '') ?? '',
  }));
  return source;
}
