import type { Attachment } from '../attachment.ts';
import type { ViewedMessage } from '../open-file.ts';

/** A file in the viewer. */
export interface GalleryItem {
  readonly key: string;
  readonly message: ViewedMessage;
  readonly file: Attachment;
}

/** An end of the gallery: where the service continues, or that nothing follows. */
export type Edge = { readonly cursor: string | null } | 'end';

/** Which files of messages a gallery has. */
export interface GalleryKind {
  readonly media: 'media' | 'files';
  readonly isShown: (file: Attachment) => boolean;
}

/** The files of a kind in a conversation around the one that was opened, oldest first. */
export interface Gallery {
  readonly kind: GalleryKind;
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

export const photosAndVideos: GalleryKind = { media: 'media', isShown };

const itemsOf = (message: ViewedMessage, { isShown: isOfKind }: GalleryKind): GalleryItem[] =>
  message.attachments.filter(isOfKind).map((file, at) => ({ key: `${message.id} ${at}`, message, file }));

/** The gallery of one message, opened at one of its files. */
export function galleryOf(message: ViewedMessage, opened: Attachment, kind: GalleryKind): Gallery {
  const items = itemsOf(message, kind);
  const at = items.findIndex(({ file }) => file.id === opened.id);
  return { kind, items, at: Math.max(0, at), older: { cursor: null }, newer: { cursor: null } };
}

/** The reducer of a gallery. */
export function afterGalleryEvent(gallery: Gallery, event: GalleryEvent): Gallery {
  const { items, at, kind } = gallery;
  const all = (messages: readonly ViewedMessage[]) => messages.flatMap((message) => itemsOf(message, kind));
  if (event.type === 'moved') {
    const next = at + event.by;
    return items[next] ? { ...gallery, at: next } : gallery;
  }
  const edge: Edge = event.cursor === undefined ? 'end' : { cursor: event.cursor };
  if (event.side === 'newer') return { ...gallery, items: [...items, ...all(event.messages)], newer: edge };
  // The page begins with the newest message.
  const before = all(event.messages.toReversed());
  return { ...gallery, items: [...before, ...items], at: at + before.length, older: edge };
}
