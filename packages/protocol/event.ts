import type { z } from 'zod';

export type CapName = 'nodrafts' | 'patch' | 'focus' | 'ext';

/** Which sockets receive an event: those that have the cap, if there is one, and none of the caps in `without`. */
interface Receivers {
  /** The class in a set of classes, also between nodes of two versions: never change or reuse it. */
  bit: number;
  cap?: CapName;
  without: readonly CapName[];
}

/** The classes of events, each with the sockets that receive it (CAPS-1). */
export const eventClasses = {
  base: { bit: 1, without: [] },
  /** That a reply has started. */
  draft: { bit: 2, without: ['nodrafts'] },
  delta: { bit: 4, without: ['nodrafts', 'patch'] },
  typing: { bit: 8, without: ['nodrafts'] },
  patch: { bit: 16, cap: 'patch', without: ['nodrafts'] },
  activity: { bit: 32, cap: 'focus', without: ['nodrafts'] },
  ext: { bit: 64, cap: 'ext', without: [] },
  /** Parts are sent where the reply itself is (PART-3). */
  part: { bit: 128, cap: 'ext', without: ['nodrafts'] },
  /** What others are doing, sent where typing is (READ-14). */
  signal: { bit: 256, cap: 'ext', without: ['nodrafts'] },
} as const satisfies Record<string, Receivers>;

export type EventClass = keyof typeof eventClasses;

export const receiversOf = (named: EventClass): Receivers => eventClasses[named];

/** How a replay rebuilds an event from the row that `ref` names; the params of such events are not stored. */
export type RebuiltEvent =
  | 'message'
  | 'stream'
  | 'stream-again'
  | 'vote'
  | 'decision'
  | 'chat'
  | 'chat-changes'
  | 'account';

/** How a replay reads the current draft that `ref` names: of a conversation, or of a channel or thread. */
export type DraftReplay = 'draft' | 'timeline-draft';

/** One way in which the update log sends an event. */
export interface EventKind {
  class: EventClass;
  /** The kind as stored in the log: never change or reuse a code. Absent: the kind is not stored. */
  code?: number;
  /**
   * How getUpdates returns the event: rebuilt from the current row that `ref` names (the message, the account's vote in its
   * poll, its decision, the chat, its changes or the account), from the stored params, from the stored params while they are younger
   * than `withinMs`, from memory (`kept`), or never.
   */
  replay: RebuiltEvent | DraftReplay | 'params' | 'message-params' | { withinMs: number } | 'kept' | 'never';
  /** The event is not sent to the socket whose call caused it: the call's reply contains the same data (CONV-5). */
  skipsCaller?: true;
  /** Which of the events this kind is, if sockets receive the others without its cap. */
  of?: string;
}

/** An event of the WebSocket, of getUpdates and of webhooks. */
export type EventDeclaration = {
  /** When it is sent and what a client does with it. */
  summary: string;
  params: z.ZodType;
  /** As of an operation. */
  since?: number;
  /** Webhooks can deliver it: it says what happened in conversations or to their account. */
  webhook?: true;
} & (
  | {
      /** Its kinds in the update log, by a name of their own. */
      kinds: Readonly<Record<string, EventKind>>;
    }
  | {
      /** Its class; it is sent outside the log, to single sockets, and never replayed. */
      outside: EventClass;
    }
);
