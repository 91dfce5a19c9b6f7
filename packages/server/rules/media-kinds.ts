import { nodesIn, parseMarkdown } from '@parley/markdown';
import type { Attachment, MediaKind, SearchedKind } from '@parley/protocol';

type Held = Pick<Attachment, 'kind'> & { id?: string | undefined; mime_type?: string | undefined };

/** Texts without this contain no link, and are not parsed. */
const mayHoldLink = /https?:\/\/|www\./i;

/** The lists of a conversation's media in which a message appears (FILE-21). */
export function mediaKindsOf(content: string, attachments: readonly Held[]): Set<MediaKind> {
  const kinds = new Set(attachments.flatMap((attachment) => kindOf(attachment) ?? []));
  if (mayHoldLink.test(content) && holdsLink(content)) kinds.add('links');
  return kinds;
}

/** Whether a message with these attachments holds an image, a video, a sound or another file (SEARCH-19). */
export const holdsFile = (attachments: readonly Held[], wanted: Exclude<SearchedKind, 'link'>): boolean =>
  attachments.some((attachment) => attachment.id !== undefined && fileKindOf(attachment) === wanted);

function fileKindOf({ kind, mime_type: type = '' }: Held): Exclude<SearchedKind, 'link'> {
  if (kind === 'photo') return 'image';
  return type.startsWith('video/') ? 'video' : type.startsWith('audio/') ? 'audio' : 'file';
}

/** Only files that the service stores are listed. */
function kindOf({ id, kind, mime_type: type = '' }: Held): MediaKind | undefined {
  if (id === undefined) return undefined;
  return kind === 'photo' || type.startsWith('video/') ? 'media' : 'files';
}

const holdsLink = (content: string): boolean =>
  nodesIn(parseMarkdown(content)).some((node) => node.kind === 'link' && !node.url.startsWith('mailto:'));
