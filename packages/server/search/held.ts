import type { SearchedKind } from '@parley/protocol';
import { holdsFile, mediaKindsOf } from '../rules/media-kinds.ts';
import { mark, recordOf } from '../store/messages.ts';
import type { IndexedRow } from '../store/search.ts';

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

/** The same for files. An edit can give a message a link, or take it, and does not index its files anew. */
export const fileMarkOf = (has: SearchedKind | null): number => (has === 'link' ? 0 : markOf(has));

/** What the index holds of a message beside its words. */
export interface Indexed {
  chatKey: number;
  senderKey: number;
  /** The message's marks that a search may ask for. */
  marks: readonly number[];
}

const searchedMarks = [...new Set(Object.values(marks))];

export const indexedOf = (row: Pick<IndexedRow, 'chat_key' | 'sender_key' | 'marks'>): Indexed => ({
  chatKey: row.chat_key,
  senderKey: row.sender_key,
  marks: searchedMarks.filter((one) => (row.marks & one) !== 0),
});

/** What the index holds of each file of a message beside the file's words (`fileMarkOf`). */
export function indexedOfFile(row: Pick<IndexedRow, 'chat_key' | 'sender_key' | 'marks'>): Indexed {
  const indexed = indexedOf(row);
  return { ...indexed, marks: indexed.marks.filter((one) => one !== mark.links) };
}

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
