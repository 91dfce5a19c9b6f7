// The life of an open reply in the memory of the node that writes it. The table answers every event in every state; null
// means that the event is ignored. What is stored of a reply changes only in units: see turn-states.ts for its turn.

export const replyStates = [
  /** It takes text. */
  'open',
  /** A unit that ends it is in the store: until its outcome is known, no text is taken and nothing is published. */
  'ending',
  /** Its bot or its channel was taken away: it takes no text, and only has to end (TURN-9). */
  'revoked',
  /** Revoked, and a unit that ends it is in the store. */
  'ending-revoked',
  /** Its end is published. */
  'closed',
  /** Its message was deleted before it ended. */
  'deleted',
] as const;
export type ReplyState = (typeof replyStates)[number];

export const replyEvents = [
  /** An append or a replacement of the whole text. */
  'text',
  /** A unit goes to the store that ends it as complete: its writer has finished, or its length limit is reached. */
  'finish',
  /** … as cancelled: a stop, a block, a removal. */
  'stop',
  /** … as failed: a provider's error, a time-out, a lapsed lease, a drain that ran out of time. */
  'fail',
  /** The store could not commit that unit. */
  'refuse',
  /** A unit was published that took away its bot or its channel. */
  'revoke',
  /** A unit was published that ended the reply or deleted its message. */
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
    // Also between the commit of a deletion and its publication, because this node does not know of it yet.
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
    // One end at a time: another waits for the outcome of the first (STREAM-21).
    finish: null,
    stop: null,
    fail: null,
    // The reply goes on with its text, and its end can be tried again (STREAM-18).
    refuse: 'open',
    revoke: 'ending-revoked',
    drop: 'closed',
  },
  revoked: {
    text: null,
    // Whatever end is asked for, the unit stores `cancelled`.
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
/** True while an end can begin. Until then text is published and stored as it grows. */
export const canEnd = (state: ReplyState): boolean => nextReplyState(state, 'stop') !== null;
/** True once nothing of the reply may reach any reader (DEL-5). */
export const isOver = (state: ReplyState): boolean => table[state] === over;
/** True if its bot or its channel was taken away. */
export const isRevoked = (state: ReplyState): boolean => state === 'revoked' || state === 'ending-revoked';
