import type { OfficeDocument as Read, Page, Sheet } from '@parley/office';
import { useCallback, useMemo } from 'react';
import { useLoaded } from '../../calls/use-loaded.ts';
import { LoadedView } from '../../ui/states/loaded-view.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';
import { CutNote } from './cut-note.tsx';
import styles from './documents.module.css';
import { type FileSource, wholeFile } from './file-bytes.ts';
import { FormattedText } from './formatted-text.tsx';
import { OfficeAsides } from './office-asides.tsx';
import { blocksOf } from './office-blocks.ts';
import { officeDocument } from './office-reader.ts';
import { SheetTable } from './sheet-table.tsx';

/** Larger files are only downloaded. */
const MAX_BYTES = 33_554_432;

interface OfficeDocumentProps {
  message: ViewedMessage;
  file: Attachment;
  source: FileSource;
}

/** The words of a file of an office program: a text, slides, or sheets in tabs. */
export function OfficeDocument({ message, file, source }: OfficeDocumentProps) {
  const loaded = useLoaded(useCallback(async (signal) => readFile(source, signal), [source]));
  return (
    <LoadedView loaded={loaded} label={t('Loading the file')}>
      {(read) =>
        typeof read === 'string' ? (
          <p className={styles['none']}>{failureText(read)}</p>
        ) : (
          <Parts message={message} file={file} document={read} />
        )
      }
    </LoadedView>
  );
}

async function readFile(source: FileSource, signal: AbortSignal): Promise<Read | 'large' | 'locked' | 'broken'> {
  const whole = await wholeFile(source, MAX_BYTES, signal);
  return whole ? officeDocument(whole, signal) : 'large';
}

function failureText(failure: 'large' | 'locked' | 'broken'): string {
  switch (failure) {
    case 'large':
      return t('This file is too large to be shown here. Download it to read it.');
    case 'locked':
      return t('This file opens only with a password. Download it to read it.');
    default:
      return t('This file can’t be shown here. Download it to read it.');
  }
}

interface PartsProps extends Omit<OfficeDocumentProps, 'source'> {
  document: Read;
}

function Parts({ message, file, document: { parts, isCut } }: PartsProps) {
  const sheets = parts.filter((part) => part.type === 'sheet');
  const pages = parts.filter((part) => part.type !== 'sheet');
  const hasText =
    sheets.some(({ rows }) => rows.length > 0) ||
    pages.some(({ blocks }) => blocks.length > 0) ||
    parts.some(({ asides }) => asides.length > 0);
  if (!hasText)
    return <p className={styles['none']}>{t('There is no text in this file. Download it to see what it contains.')}</p>;
  return (
    <>
      {sheets.length > 0 ? (
        <Sheets message={message} file={file} sheets={sheets} />
      ) : (
        pages.map((page, at) => (
          // Slides never change their order, so the index is a stable key.
          <PageText key={at} message={message} file={file} page={page} number={at + 1} count={pages.length} />
        ))
      )}
      <CutNote>
        {isCut
          ? t('This is only the beginning of the file. Download it to see all of it.')
          : t('Only the text of this file is shown. Download it to see it with its pictures and layout.')}
      </CutNote>
    </>
  );
}

interface SheetsProps extends Omit<OfficeDocumentProps, 'source'> {
  sheets: readonly Sheet[];
}

function Sheets({ message, file, sheets }: SheetsProps) {
  const [first] = sheets;
  const shown = (sheet: Sheet) => (
    <>
      {sheet.rows.length > 0 || sheet.asides.length === 0 ? <SheetTable sheet={sheet} /> : null}
      <OfficeAsides message={message} file={file} asides={sheet.asides} />
    </>
  );
  if (sheets.length === 1 && first) return shown(first);
  return <Tabs label={t('Sheets')} tabs={sheets.map((sheet) => ({ name: sheet.name, content: shown(sheet) }))} />;
}

interface PageTextProps extends Omit<OfficeDocumentProps, 'source'> {
  page: Page;
  number: number;
  count: number;
}

function PageText({ message, file, page, number, count }: PageTextProps) {
  const blocks = useMemo(() => blocksOf(page.blocks), [page.blocks]);
  const asides = page.asides.filter(({ kind }) => kind !== 'header');
  const text = (
    <>
      <FormattedText message={message} file={file} blocks={blocks} />
      <OfficeAsides message={message} file={file} asides={asides} />
    </>
  );
  if (page.type === 'text')
    return (
      <>
        <OfficeAsides message={message} file={file} asides={page.asides.filter(({ kind }) => kind === 'header')} />
        {text}
      </>
    );
  return (
    <div
      className={styles['slide']}
      role="group"
      aria-label={t('Slide {number, number} of {count, number}', { number, count })}
    >
      <p className={styles['slideNumber']} aria-hidden>
        {number}
      </p>
      {text}
    </div>
  );
}
