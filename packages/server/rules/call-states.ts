// The life of a call of a tool in the ledger, which is written before the call is sent. The table has an entry for every
// state and event: null means that the event comes too late or too early and changes nothing.

export const callStates = [
  /** A person must allow it first. */
  'asked',
  /** It may be sent: it was allowed, or needed no answer. */
  'approved',
  /** It is about to be sent, or was: stored before the request leaves, so that no crash sends it twice unnoticed. */
  'sending',
  'done',
  'failed',
  /** It was sent, and nobody can say whether it was carried out. */
  'unknown',
  'declined',
  'expired',
  /** Its turn ended before it was allowed or sent. */
  'withdrawn',
] as const;
export type CallState = (typeof callStates)[number];

export const callEvents = [
  /** Its decider allows it. */
  'approve',
  'decline',
  /** Nobody has decided in time. */
  'expire',
  'send',
  /** The server answered with a result. */
  'finish',
  /** The server answered with an error, or the call could not be sent at all. */
  'fail',
  /** No answer came: a time-out, a lost connection, a crash. */
  'lose',
  /** It may be sent again: nothing was carried out (a login or a form is needed first), or it only reads. */
  'repeat',
  /** Its turn has ended. */
  'withdraw',
] as const;
export type CallEvent = (typeof callEvents)[number];

const ended: Record<CallEvent, null> = {
  approve: null,
  decline: null,
  expire: null,
  send: null,
  finish: null,
  fail: null,
  lose: null,
  repeat: null,
  withdraw: null,
};

const table: Record<CallState, Record<CallEvent, CallState | null>> = {
  asked: {
    approve: 'approved',
    decline: 'declined',
    expire: 'expired',
    send: null,
    finish: null,
    fail: null,
    lose: null,
    repeat: null,
    withdraw: 'withdrawn',
  },
  approved: {
    // A second answer comes too late.
    approve: null,
    // Of a login, a form or a budget that it waits for.
    decline: 'declined',
    expire: 'expired',
    send: 'sending',
    // The service's own tools leave it nowhere: what they do and its end are one unit, so they need no 'sending'.
    finish: 'done',
    fail: 'failed',
    lose: null,
    repeat: null,
    withdraw: 'withdrawn',
  },
  sending: {
    approve: null,
    decline: null,
    expire: null,
    // Two nodes may run the turn for a moment; only one sends.
    send: null,
    finish: 'done',
    fail: 'failed',
    lose: 'unknown',
    repeat: 'approved',
    withdraw: 'unknown',
  },
  done: ended,
  failed: ended,
  unknown: ended,
  declined: ended,
  expired: ended,
  withdrawn: ended,
};

/** The state after the event; null if the event must be ignored. */
export const nextCallState = (state: CallState, event: CallEvent): CallState | null => table[state][event];

/**
 * The state of a call that is not sent (any more); null if that comes too late. One that was sent before, and was to be
 * sent again after a crash, may have been carried out then (CALL-4).
 */
export const unsentCallState = (
  { state, sent_at: sentAt }: { state: CallState; sent_at: number | null },
  event: Extract<CallEvent, 'decline' | 'expire' | 'withdraw'>,
): CallState | null =>
  state === 'approved' && sentAt !== null ? nextCallState('sending', 'withdraw') : nextCallState(state, event);

/** Whether the model can be told what became of the call. */
export const isCallOver = (state: CallState): boolean => table[state] === ended;

/** What a crash does to a call that was being sent: only one that changes nothing may be sent again (CALL-4). */
export const crashEvent = ({ writes }: { writes: boolean }): 'lose' | 'repeat' => (writes ? 'lose' : 'repeat');
