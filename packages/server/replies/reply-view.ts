import type { OpenStream } from '../commits/effects.ts';
import type { OpenText } from '../rendering/messages.ts';

/** An open reply as readers see it, whichever node writes it. Its numbers are those of events in the log. */
export interface ReplyView {
  readonly info: OpenStream;
  readonly numbered: Numbered;
  /** True when the reply has ended or was deleted. */
  readonly isDropped: boolean;
  readonly draft: DraftView;
}

/** What clients have of an open reply. */
export interface Numbered {
  /** The number of the newest event of the reply's text; `partSeq`: of its parts. */
  readonly textSeq: number;
  readonly partSeq: number;
  /** The text and parts that a client has after both. */
  readonly open: OpenText;
}

/** What sockets with the caps `patch` and `focus` receive of an open reply. */
export interface DraftView {
  /** The newest published text. */
  readonly published: OpenText;
  /** What sockets with the cap `patch` have after their newest event, and its number; null if none receives patches. */
  readonly numbered: (OpenText & { readonly seq: number }) | null;
  /** The number of the newest `draftActivity`. */
  readonly activitySeq: number;
}
