import type { SearchedKind } from '@parley/protocol';
import { holdsFile, mediaKindsOf } from '../rules/media-kinds.ts';
import { mark, recordOf } from '../store/messages.ts';

/** Every message that holds such a thing has this mark; others may have it too. */
const marks: Readonly<Record<SearchedKind, number>> = {
  image: mark.media,
  video: mark.media,
  audio: mark.files,
  file: mark.files,
  link: mark.links,
};

/** The mark by which a search leaves out most messages without reading them; 0 for none. */
export const markOf = (has: SearchedKind | null): number => (has === null ? 0 : marks[has]);

/** Whether a message with the mark holds what a search is for (SEARCH-19). */
export function isHeld(record: string, has: SearchedKind | null): boolean {
  if (has === null) return true;
  const { content, attachments } = recordOf({ record });
  return has === 'link' ? mediaKindsOf(content, []).has('links') : holdsFile(attachments, has);
}

/** A file of a message that the index names. */
export interface SearchedFile {
  id: string;
  name: string;
}

/** The file at a place among the attachments of a message. */
export function fileAt(record: string, place: number): SearchedFile | undefined {
  const attachment = recordOf({ record }).attachments[place];
  return attachment?.id === undefined ? undefined : { id: attachment.id, name: attachment.name ?? '' };
}
