import { useEffect, useReducer, useState } from 'react';
import { useSession } from '../../session/session.ts';
import type { Attachment } from '../attachment.ts';
import { afterGalleryEvent, type Edge, type GalleryItem, type GalleryKind, galleryOf, type Side } from './gallery.ts';
import type { ViewedMessage } from '../open-file.ts';

/** The next page is requested when fewer files than this are left on a side. */
const AHEAD = 4;
const PAGE = 30;

interface OpenGallery {
  readonly item: GalleryItem | undefined;
  /** The files next to it, to load them early. */
  readonly beside: readonly Attachment[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
  readonly move: (by: -1 | 1) => void;
}

/** The files of a kind in a conversation, of which older and newer ones load as the reader approaches them. */
export function useGallery(message: ViewedMessage, opened: Attachment, kind: GalleryKind): OpenGallery {
  const [gallery, dispatch] = useReducer(afterGalleryEvent, undefined, () => galleryOf(message, opened, kind));
  const { items, at, older, newer } = gallery;
  const { media } = kind;
  useEdge({ message, media }, 'older', older, at < AHEAD, dispatch);
  useEdge({ message, media }, 'newer', newer, items.length - 1 - at < AHEAD, dispatch);
  return {
    item: items[at],
    beside: [items[at - 1], items[at + 1]].flatMap((item) => item?.file ?? []),
    hasPrevious: at > 0,
    hasNext: at < items.length - 1,
    move: (by) => dispatch({ type: 'moved', by }),
  };
}

type Dispatch = (event: Parameters<typeof afterGalleryEvent>[1]) => void;

/** Loads the page behind an end of the gallery when it is near. After a failure it tries again when the reader moves on. */
function useEdge(
  { message: { id, conversation_id }, media }: { message: ViewedMessage; media: GalleryKind['media'] },
  side: Side,
  edge: Edge,
  isNear: boolean,
  dispatch: Dispatch,
) {
  const { client } = useSession();
  const cursor = edge === 'end' ? undefined : edge.cursor;
  const [failures, setFailures] = useState(0);
  const isWanted = isNear && cursor !== undefined && failures < 3;
  useEffect(() => {
    if (!isWanted) return undefined;
    const abort = new AbortController();
    const start = cursor === null ? { [side === 'older' ? 'before' : 'after']: id } : { cursor };
    client
      .call('getChatMedia', { chat_id: conversation_id, kind: media, limit: PAGE, ...start }, { signal: abort.signal })
      .then(
        ({ items, next_cursor }) =>
          abort.signal.aborted || dispatch({ type: 'loaded', side, messages: items, cursor: next_cursor }),
        () => abort.signal.aborted || setFailures((before) => before + 1),
      );
    return () => abort.abort();
  }, [client, conversation_id, id, media, side, cursor, isWanted, failures, dispatch]);
}
