// The life of an open reply in the memory of the node that writes it. The table answers every event in every state; null
// means that the event is ignored. What is stored of a reply changes only in units: see turn-states.ts for its turn.

export const replyStates = [
  /** Appends and replacements are accepted. */
  'open',
  /** The store runs a unit that ends the reply. Until its outcome is known, text is refused and nothing is published. */
  'ending',
  /** The reply's bot or channel was removed: text is refused, and the reply must end (TURN-9). */
  'revoked',
  /** Revoked, and the store runs a unit that ends the reply. */
  'ending-revoked',
  /** The end of the reply is published. */
  'closed',
  /** The reply's message was deleted before the reply ended. */
  'deleted',
] as const;
export type ReplyState = (typeof replyStates)[number];

export const replyEvents = [
  /** An append or a replacement of the whole text. */
  'text',
  /** The reply is ended as complete: its writer has finished, or it has reached its maximum length. */
  'finish',
  /** The reply is ended as cancelled: a stop, a block, a removal. */
  'stop',
  /** The reply is ended as failed: a provider's error, a timeout, an expired lease, a drain that ran out of time. */
  'fail',
  /** The store could not commit the unit that ends the reply. */
  'refuse',
  /** A published unit removed the reply's bot or channel. */
  'revoke',
  /** A published unit ended the reply or deleted its message. */
  'drop',
] as const;
export type ReplyEvent = (typeof replyEvents)[number];

const over: Record<ReplyEvent, null> = {
  text: null,
  finish: null,
  stop: null,
  fail: null,
  refuse: null,
  revoke: null,
  drop: null,
};

const table: Record<ReplyState, Record<ReplyEvent, ReplyState | null>> = {
  open: {
    // Text is accepted until the deletion is published, even if it is committed: this node does not know of it yet.
    text: 'open',
    finish: 'ending',
    stop: 'ending',
    fail: 'ending',
    refuse: null,
    revoke: 'revoked',
    drop: 'deleted',
  },
  ending: {
    text: null,
    // Only one end at a time: a second one waits for the outcome of the first (STREAM-21).
    finish: null,
    stop: null,
    fail: null,
    // The reply stays open with its text, and its end can be retried (STREAM-18).
    refuse: 'open',
    revoke: 'ending-revoked',
    drop: 'closed',
  },
  revoked: {
    text: null,
    // The unit stores `cancelled`, whichever end was requested.
    finish: 'ending-revoked',
    stop: 'ending-revoked',
    fail: 'ending-revoked',
    refuse: null,
    revoke: null,
    drop: 'deleted',
  },
  'ending-revoked': {
    text: null,
    finish: null,
    stop: null,
    fail: null,
    refuse: 'revoked',
    revoke: null,
    drop: 'closed',
  },
  closed: over,
  deleted: over,
};

/** The state after the event, or null if the event is ignored. */
export const nextReplyState = (state: ReplyState, event: ReplyEvent): ReplyState | null => table[state][event];

/** True while a writer may add text. */
export const takesText = (state: ReplyState): boolean => nextReplyState(state, 'text') !== null;
/** Whether an end can begin. While it can, text is published and stored as it grows. */
export const canEnd = (state: ReplyState): boolean => nextReplyState(state, 'stop') !== null;
/** True once nothing of the reply may reach any reader (DEL-5). */
export const isOver = (state: ReplyState): boolean => table[state] === over;
/** Whether the reply's bot or channel was removed. */
export const isRevoked = (state: ReplyState): boolean => state === 'revoked' || state === 'ending-revoked';
