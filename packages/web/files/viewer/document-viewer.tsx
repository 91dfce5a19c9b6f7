import { fileAddress } from '@parley/markdown';
import { useRef, useState } from 'react';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import { documentKind } from '../document-kind.ts';
import styles from '../documents/documents.module.css';
import type { FileSource } from '../documents/file-bytes.ts';
import { OfficeDocument } from '../documents/office-document.tsx';
import { PdfDocument } from '../documents/pdf-document.tsx';
import { TextDocument } from '../documents/text-document.tsx';
import { useFileAddress } from '../use-file-address.ts';
import type { ViewedMessage } from '../open-file.ts';
import { ViewerFrame } from './viewer-frame.tsx';
import { ZoomButtons } from './zoom-buttons.tsx';

const STEP = 1.25;
const MAX_ZOOM = 4;

interface DocumentViewerProps {
  message: ViewedMessage;
  file: Attachment;
  onClose: () => void;
}

/** Shows a document over the whole page. */
export default function DocumentViewer({ message, file, onClose }: DocumentViewerProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  const source = useFileSource(message.id, file);
  const kind = documentKind(file);
  const zoomIn = () => setZoom((before) => Math.min(MAX_ZOOM, before * STEP));
  const zoomOut = () => setZoom((before) => Math.max(1, before / STEP));
  const keys = kind === 'pdf' ? { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': () => setZoom(1) } : {};
  return (
    <ViewerFrame
      message={message}
      file={file}
      buttons={kind === 'pdf' ? <ZoomButtons isWhole={zoom === 1} zoomIn={zoomIn} zoomOut={zoomOut} /> : null}
      initialFocus={stage}
      keys={keys}
      onClose={onClose}
    >
      {/* Focusable, so that the keyboard scrolls it. */}
      <div ref={stage} className={styles['stage']} tabIndex={0} role="region" aria-label={t('Document')}>
        {kind === 'pdf' ? <PdfDocument stage={stage} source={source} zoom={zoom} /> : null}
        {kind === 'document' || kind === 'spreadsheet' || kind === 'presentation' ? (
          <OfficeDocument message={message} file={file} source={source} />
        ) : kind === null || kind === 'pdf' ? null : (
          <TextDocument message={message} file={file} kind={kind} source={source} />
        )}
      </div>
    </ViewerFrame>
  );
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
