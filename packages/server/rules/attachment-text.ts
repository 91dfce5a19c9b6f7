import type { Attachment } from '@parley/protocol';
import { oneLine, safeName } from './file-names.ts';

type Named = Pick<Attachment, 'kind'> & { name?: string | undefined; title?: string | undefined };

/** What a message without text says in a line: its first attachment, and how many more (PUSH-19). */
export function attachmentText(attachments: readonly Named[]): string {
  const [first, ...others] = attachments;
  if (!first) return '';
  const said = wordsOf(first);
  return others.length === 0 || said === '' ? said : `${said} +${others.length}`;
}

function wordsOf({ kind, name, title }: Named): string {
  if (kind === 'photo') return 'Photo';
  // Whoever attaches what the service does not keep may call it anything.
  if (kind === 'file') return `📎 ${safeName(name ?? '')}`;
  return oneLine(title ?? '');
}
