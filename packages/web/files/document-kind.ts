import { officeKind, type OfficeKind } from '@parley/office';
import { languageOf } from '../markdown/highlight/code-languages.ts';
import { t } from '../words/t.ts';
import type { Attachment } from './attachment.ts';

type NamedFile = Pick<Attachment, 'id' | 'kind' | 'name' | 'mime_type'>;

/** How the viewer shows a document. */
export type DocumentKind = 'pdf' | OfficeKind | 'table' | 'markdown' | 'code' | 'text';

/** Texts that are neither code nor tables, by the end of their names. */
const texts = new Set(
  'txt text log env cfg rst adoc tex srt vtt ics vcf eml lock gitignore editorconfig readme license changelog'.split(
    ' ',
  ),
);
/** The type of a file whose content the service did not recognize. */
const UNKNOWN = 'application/octet-stream';

/** The part of a name that says what a file is: what follows the last dot, or all of it. */
const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** How the viewer shows a file of the service; null if the app can only download it. */
export function documentKind({ id, kind, name = '', mime_type: type = UNKNOWN }: NamedFile): DocumentKind | null {
  if (id === undefined || kind !== 'file') return null;
  if (type === 'application/pdf') return 'pdf';
  const office = officeKind(type, name);
  if (office !== null) return office;
  // A file of another known type is what it is, whatever its name says.
  if (type !== UNKNOWN && !type.startsWith('text/')) return null;
  const ending = endingOf(name);
  if (ending === 'csv' || ending === 'tsv') return 'table';
  const language = languageOf(ending);
  if (language === 'markdown') return 'markdown';
  if (language !== undefined) return 'code';
  return texts.has(ending) || type.startsWith('text/') ? 'text' : null;
}

/** The language whose colours a file of code has. */
export const codeLanguage = ({ name = '' }: NamedFile): string => languageOf(endingOf(name)) ?? '';

export function documentKindName(kind: DocumentKind): string {
  switch (kind) {
    case 'pdf':
      return t('PDF');
    case 'document':
      return t('Document');
    case 'spreadsheet':
      return t('Spreadsheet');
    case 'presentation':
      return t('Presentation');
    case 'table':
      return t('Table');
    case 'markdown':
      return t('Formatted text');
    case 'code':
      return t('Code');
    default:
      return t('Text');
  }
}
