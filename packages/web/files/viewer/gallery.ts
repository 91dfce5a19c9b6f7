import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';

/** A photo or video in the viewer. */
export interface GalleryItem {
  readonly key: string;
  readonly message: ViewedMessage;
  readonly file: Attachment;
}

/** An end of the gallery: where the service continues, or that nothing follows. */
export type Edge = { readonly cursor: string | null } | 'end';

/** The photos and videos of a conversation around the one that was opened, oldest first. */
export interface Gallery {
  readonly items: readonly GalleryItem[];
  readonly at: number;
  readonly older: Edge;
  readonly newer: Edge;
}

export type Side = 'older' | 'newer';
type GalleryEvent =
  | { type: 'moved'; by: -1 | 1 }
  | { type: 'loaded'; side: Side; messages: readonly ViewedMessage[]; cursor: string | undefined };

export const isShown = ({ id, kind, mime_type: type = '' }: Attachment): boolean =>
  id !== undefined && (kind === 'photo' || type.startsWith('video/'));

const itemsOf = (message: ViewedMessage): GalleryItem[] =>
  message.attachments.filter(isShown).map((file, at) => ({ key: `${message.id} ${at}`, message, file }));

/** The gallery of one message, opened at one of its photos. */
export function galleryOf(message: ViewedMessage, photo: Attachment): Gallery {
  const items = itemsOf(message);
  const at = items.findIndex(({ file }) => file.id === photo.id);
  return { items, at: Math.max(0, at), older: { cursor: null }, newer: { cursor: null } };
}

/** The reducer of a gallery. */
export function afterGalleryEvent(gallery: Gallery, event: GalleryEvent): Gallery {
  const { items, at } = gallery;
  if (event.type === 'moved') {
    const next = at + event.by;
    return items[next] ? { ...gallery, at: next } : gallery;
  }
  const edge: Edge = event.cursor === undefined ? 'end' : { cursor: event.cursor };
  if (event.side === 'newer') return { ...gallery, items: [...items, ...event.messages.flatMap(itemsOf)], newer: edge };
  // The page begins with the newest message.
  const before = event.messages.toReversed().flatMap(itemsOf);
  return { ...gallery, items: [...before, ...items], at: at + before.length, older: edge };
}
