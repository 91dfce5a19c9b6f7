import type { Attachment, InboxItem } from '@parley/protocol';
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

/** What a client can say in its reader's language instead; undefined for what has a name or title of its own. */
export function contentsOf(attachments: readonly Named[]): InboxItem['contents'] {
  const [first, ...others] = attachments;
  const kind = first && wordlessKind(first);
  return kind && { kind, more: others.length };
}

const wordlessKind = ({ kind, waveform }: Named) =>
  waveform ? ('voice_message' as const) : kind === 'photo' ? ('photo' as const) : undefined;

function wordsOf(attachment: Named, { photo, voiceMessage }: Words): string {
  const { kind, name, title } = attachment;
  const wordless = wordlessKind(attachment);
  if (wordless !== undefined) return wordless === 'photo' ? photo : voiceMessage;
  // A sender may attach a file that the service does not store, under any name.
  if (kind === 'file') return `📎 ${safeName(name ?? '')}`;
  return oneLine(title ?? '');
}
