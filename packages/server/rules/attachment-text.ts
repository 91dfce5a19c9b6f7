import type { Attachment } from '@parley/protocol';
import { oneLine, safeName } from './file-names.ts';

type Named = Pick<Attachment, 'kind'> & {
  name?: string | undefined;
  title?: string | undefined;
  waveform?: string | undefined;
};

/** One line for a message without text: its first attachment, and the number of further ones (PUSH-19). */
export function attachmentText(attachments: readonly Named[]): string {
  const [first, ...others] = attachments;
  if (!first) return '';
  const said = wordsOf(first);
  return others.length === 0 || said === '' ? said : `${said} +${others.length}`;
}

function wordsOf({ kind, name, title, waveform }: Named): string {
  if (waveform) return 'Voice message';
  if (kind === 'photo') return 'Photo';
  // A sender may attach a file that the service does not store, under any name.
  if (kind === 'file') return `📎 ${safeName(name ?? '')}`;
  return oneLine(title ?? '');
}
