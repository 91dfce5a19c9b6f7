import type { Aside } from '@parley/office';
import { t } from '../../words/t.ts';
import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';
import styles from './documents.module.css';
import { FormattedText } from './formatted-text.tsx';
import { blocksOf } from './office-blocks.ts';

interface OfficeAsidesProps {
  message: ViewedMessage;
  file: Attachment;
  asides: readonly Aside[];
}

/** What stands beside the text of a file: headers, notes, comments, and the words of charts and text boxes. */
export const OfficeAsides = ({ message, file, asides }: OfficeAsidesProps) =>
  asides.map((aside, at) => (
    // The asides of a file never change their order, so the index is a stable key.
    <section key={at} className={styles['aside']} aria-label={titleOf(aside)}>
      {aside.kind === 'object' ? null : <p className={styles['asideTitle']}>{titleOf(aside)}</p>}
      <FormattedText message={message} file={file} blocks={blocksOf(aside.blocks)} />
    </section>
  ));

function nameOf({ kind }: Aside): string {
  switch (kind) {
    case 'header':
      return t('Header');
    case 'footer':
      return t('Footer');
    case 'footnote':
      return t('Footnote');
    case 'endnote':
      return t('Endnote');
    case 'comment':
      return t('Comment');
    case 'notes':
      return t('Speaker notes');
    default:
      return t('Chart, diagram or text box');
  }
}

/** The kind of an aside, with its mark or cell, and its author. */
const titleOf = (aside: Aside): string =>
  [nameOf(aside), aside.label ?? '', aside.author ?? ''].filter((part) => part !== '').join(' · ');
