// The life of one firing of an agent. Every state answers every event: null
// means that the event comes too late or too early and changes nothing.

export const turnStates = ['queued', 'streaming', 'complete', 'cancelled', 'failed'] as const;
export type TurnState = (typeof turnStates)[number];

export const turnEvents = [
  /** A worker, or a bot's daemon, takes the turn up; its placeholder is there from now on. */
  'claim',
  'text',
  'finish',
  /** A provider's error, a time-out, a lapsed lease, a drain that ran out of time. */
  'fail',
  /** Somebody who may do so stops it. */
  'stop',
  /** Its message was deleted, or its agent was taken out of the conversation. */
  'remove',
  /** It was queued when the process died, and the message that fired it is too old by now. */
  'expire',
  /** After a restart: run again. See `restartEvent`. */
  'requeue',
  /** After a restart: the predecessor's work is lost. */
  'lose',
] as const;
export type TurnEvent = (typeof turnEvents)[number];

const ended: Record<TurnEvent, null> = {
  claim: null,
  text: null,
  finish: null,
  fail: null,
  stop: null,
  remove: null,
  expire: null,
  requeue: null,
  lose: null,
};

const table: Record<TurnState, Record<TurnEvent, TurnState | null>> = {
  queued: {
    claim: 'streaming',
    text: null,
    finish: null,
    // A turn that cannot even begin must not stay in the queue for ever.
    fail: 'failed',
    stop: 'cancelled',
    remove: 'cancelled',
    expire: 'cancelled',
    // Nobody had begun it, so a restart takes nothing from it.
    requeue: null,
    lose: null,
  },
  streaming: {
    // Two workers, or two daemons of one bot: the second stands back.
    claim: null,
    text: 'streaming',
    finish: 'complete',
    fail: 'failed',
    stop: 'cancelled',
    remove: 'cancelled',
    expire: null,
    requeue: 'queued',
    lose: 'failed',
  },
  complete: ended,
  cancelled: ended,
  failed: ended,
};

/** The state after the event, or null when the event is to be ignored. */
export function nextState(state: TurnState, event: TurnEvent): TurnState | null {
  return table[state][event];
}

export const maxAttempts = 2;

/** What a restart means for a turn of an agent that the server itself runs; `attempts` counts its claims. */
export function restartEvent(turn: { hasText: boolean; attempts: number }): 'requeue' | 'lose' {
  return turn.hasText || turn.attempts >= maxAttempts ? 'lose' : 'requeue';
}
