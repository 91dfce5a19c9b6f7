import type { Message } from '@parley/protocol';

/** The loaded part of a list of media, newest first. */
interface MediaPages {
  readonly messages: readonly Message[];
  /** Where older messages continue; `first` before the first page. */
  readonly next: 'first' | 'end' | { readonly cursor: string };
  readonly error: string | null;
}

type PageEvent =
  | { type: 'older'; messages: readonly Message[]; cursor: string | undefined }
  /** Oldest first, unless the list was empty. */
  | { type: 'newer'; messages: readonly Message[] }
  | { type: 'deleted'; ids: readonly string[] }
  | { type: 'failed'; error: string };

export const noPages: MediaPages = { messages: [], next: 'first', error: null };

export function afterPage(pages: MediaPages, event: PageEvent): MediaPages {
  if (event.type === 'failed') return { ...pages, error: event.error };
  if (event.type === 'deleted')
    return { ...pages, messages: pages.messages.filter(({ id }) => !event.ids.includes(id)) };
  const known = new Set(pages.messages.map(({ id }) => id));
  const fresh = event.messages.filter(({ id }) => !known.has(id));
  if (event.type === 'older') {
    const next = event.cursor === undefined ? 'end' : { cursor: event.cursor };
    return { messages: [...pages.messages, ...fresh], next, error: null };
  }
  return { ...pages, messages: [...fresh.toSorted((a, b) => b.position - a.position), ...pages.messages] };
}
