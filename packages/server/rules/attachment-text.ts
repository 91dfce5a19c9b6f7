import type { Attachment } from '@parley/protocol';
import { oneLine, safeName } from './file-names.ts';
import { english, type PushWords } from './push-words.ts';

type Words = Pick<PushWords, 'photo' | 'voiceMessage'>;

type Named = Pick<Attachment, 'kind'> & {
  name?: string | undefined;
  title?: string | undefined;
  waveform?: string | undefined;
};

/** One line for a message without text: its first attachment, and the number of further ones (PUSH-19). */
export function attachmentText(attachments: readonly Named[], words: Words = english): string {
  const [first, ...others] = attachments;
  if (!first) return '';
  const said = wordsOf(first, words);
  return others.length === 0 || said === '' ? said : `${said} +${others.length}`;
}

function wordsOf({ kind, name, title, waveform }: Named, { photo, voiceMessage }: Words): string {
  if (waveform) return voiceMessage;
  if (kind === 'photo') return photo;
  // A sender may attach a file that the service does not store, under any name.
  if (kind === 'file') return `📎 ${safeName(name ?? '')}`;
  return oneLine(title ?? '');
}
