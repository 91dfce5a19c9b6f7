import { useCallback } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import type { OfficeKind } from '@parley/office';
import { codeLanguage, type DocumentKind } from '../document-kind.ts';
import type { ViewedMessage } from '../open-file.ts';
import { CodeDocument } from './code-document.tsx';
import { CutNote } from './cut-note.tsx';
import styles from './documents.module.css';
import { fileBytes, type FileSource } from './file-bytes.ts';
import { MarkdownDocument } from './markdown-document.tsx';
import { TableDocument } from './table-document.tsx';
import { textOfFile } from './text-of-file.ts';

/** The most that is loaded of a text. */
const MAX_BYTES = 262_144;

interface TextDocumentProps {
  message: ViewedMessage;
  file: Attachment;
  kind: Exclude<DocumentKind, 'pdf' | OfficeKind>;
  source: FileSource;
}

/** A document that is a text: its first 256 KiB. */
export function TextDocument({ message, file, kind, source }: TextDocumentProps) {
  const loaded = useLoaded(
    useCallback(async (signal) => textOfFile(await fileBytes(source, MAX_BYTES, signal)), [source]),
  );
  return (
    <LoadedView loaded={loaded} label={t('Loading the file')}>
      {(read) => {
        if (read === null)
          return <p className={styles['none']}>{t('This file isn’t text, so it can’t be shown here.')}</p>;
        const { text, isCut } = read;
        if (text.trim() === '') return <p className={styles['none']}>{t('This file is empty.')}</p>;
        if (kind === 'table') return <TableDocument text={text} isCut={isCut} />;
        return (
          <>
            {kind === 'markdown' ? (
              <MarkdownDocument message={message} file={file} text={text} />
            ) : kind === 'code' ? (
              <CodeDocument language={codeLanguage(file)} text={text} />
            ) : (
              <pre className={styles['text']} dir="auto">
                {text}
              </pre>
            )}
            {isCut ? (
              <CutNote>{t('This is only the beginning of the file. Download it to see all of it.')}</CutNote>
            ) : null}
          </>
        );
      }}
    </LoadedView>
  );
}
