// The state that a composer and the messages of its timeline share, and how they signal each other.
// Imports from session only. The shell creates one Composings per session and provides it.
import { createContext, use, useEffect, useSyncExternalStore } from 'react';

/** What a composer is doing besides its text: replying to a message, or editing one. */
export interface Composing {
  readonly replyTo: string | null;
  readonly editing: string | null;
}

/** A timeline, as its composer and its messages address it. */
export interface Place {
  chat_id: string;
  channel_id?: string | null | undefined;
  thread_root_id?: string | null | undefined;
}

/** A line that the composer shows below its text. */
export interface Note {
  /** It says what is still going on, or what is wrong; any other note goes after some seconds. */
  readonly isLasting?: boolean;
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Signals within an open conversation: files, text, notes and focus for its composer, that a message was sent or edited,
 * and that its details are wanted.
 */
interface Signals {
  files: readonly File[];
  /** Replaces what the composer holds. */
  text: string;
  sent: null;
  /** The id of the message. */
  edited: string;
  note: Note;
  focus: null;
  details: null;
}

const idle: Composing = { replyTo: null, editing: null };

/** The key of a timeline. */
export const placeName = ({ chat_id, channel_id, thread_root_id }: Place): string =>
  `${chat_id}/${channel_id ?? ''}/${thread_root_id ?? ''}`;

/** The composers of a session, by timeline. */
export class Composings {
  readonly #byPlace = new Map<string, Composing>();
  readonly #listeners = new Set<() => void>();
  readonly #receivers = new Map<string, Set<(value: never) => void>>();

  get(place: Place): Composing {
    return this.#byPlace.get(placeName(place)) ?? idle;
  }

  set(place: Place, composing: Partial<Composing>): void {
    const next = { ...idle, ...composing };
    if (next.replyTo === null && next.editing === null) this.#byPlace.delete(placeName(place));
    else this.#byPlace.set(placeName(place), next);
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Calls the receivers of this signal at this timeline. */
  signal<Name extends keyof Signals>(name: Name, place: Place, value: Signals[Name]): void {
    // Receivers are stored by signal name, so they accept that signal's value.
    const known = this.#receivers.get(`${name} ${placeName(place)}`) as Set<(value: Signals[Name]) => void> | undefined;
    for (const receive of known ?? []) receive(value);
  }

  /** Adds a receiver for a signal at this timeline; the returned function removes it. */
  receive<Name extends keyof Signals>(name: Name, place: Place, receive: (value: Signals[Name]) => void): () => void {
    const key = `${name} ${placeName(place)}`;
    const known = this.#receivers.get(key) ?? new Set();
    this.#receivers.set(key, known.add(receive));
    return () => {
      known.delete(receive);
      if (known.size === 0) this.#receivers.delete(key);
    };
  }
}

export const ComposingsContext = createContext<Composings | null>(null);

export function useComposings(): Composings {
  const composings = use(ComposingsContext);
  if (!composings) throw new Error('this component needs a ComposingsContext around it');
  return composings;
}

export function useComposing(place: Place): Composing {
  const composings = useComposings();
  return useSyncExternalStore(composings.subscribe, () => composings.get(place));
}

/** Receives a signal while the component is mounted. */
export function useSignal<Name extends keyof Signals>(
  name: Name,
  place: Place,
  receive: (value: Signals[Name]) => void,
): void {
  const composings = useComposings();
  const { chat_id, channel_id, thread_root_id } = place;
  useEffect(
    () => composings.receive(name, { chat_id, channel_id, thread_root_id }, receive),
    [composings, name, chat_id, channel_id, thread_root_id, receive],
  );
}
