import { useEffect, useSyncExternalStore } from 'react';

/** What the composer of a timeline is at, beside its text: answering a message, or changing one. */
export interface Composing {
  readonly replyTo: string | null;
  readonly editing: string | null;
}

/** A timeline, as its composer and its messages name it to each other. */
export interface Place {
  chat_id: string;
  channel_id?: string | null | undefined;
  thread_root_id?: string | null | undefined;
}

const nothing: Composing = { replyTo: null, editing: null };
const byTimeline = new Map<string, Composing>();
const listeners = new Set<() => void>();

export const placeName = ({ chat_id, channel_id, thread_root_id }: Place): string =>
  `${chat_id}/${channel_id ?? ''}/${thread_root_id ?? ''}`;

export function setComposing(place: Place, composing: Partial<Composing>): void {
  const next = { ...nothing, ...composing };
  if (next.replyTo === null && next.editing === null) byTimeline.delete(placeName(place));
  else byTimeline.set(placeName(place), next);
  for (const listener of listeners) listener();
}

export function useComposing(place: Place): Composing {
  return useSyncExternalStore(subscribe, () => byTimeline.get(placeName(place)) ?? nothing);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What a composer says below its text. */
export interface Note {
  readonly text: string;
  readonly isError: boolean;
}

/** What the parts of an open conversation tell each other: files and notes for its composer, a message that was sent from it. */
interface Signals {
  files: readonly File[];
  sent: null;
  note: Note;
  focus: null;
}

const receivers = new Map<string, Set<(value: never) => void>>();

/** Tells those who listen for it at a timeline. */
export function signal<Name extends keyof Signals>(name: Name, place: Place, value: Signals[Name]): void {
  // Kept under a name, a listener takes that name's value.
  const known = receivers.get(`${name} ${placeName(place)}`) as Set<(value: Signals[Name]) => void> | undefined;
  for (const receive of known ?? []) receive(value);
}

/** Listens while it is shown. */
export function useSignal<Name extends keyof Signals>(
  name: Name,
  place: Place,
  receive: (value: Signals[Name]) => void,
): void {
  const key = `${name} ${placeName(place)}`;
  useEffect(() => {
    const known = receivers.get(key) ?? new Set();
    receivers.set(key, known.add(receive));
    return () => {
      known.delete(receive);
      if (known.size === 0) receivers.delete(key);
    };
  }, [key, receive]);
}
