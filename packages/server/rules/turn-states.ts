// The states of a turn. The table has an entry for every state and event: null means that the event comes too late or
// too early and changes nothing.

export const turnStates = ['queued', 'streaming', 'waiting', 'complete', 'cancelled', 'failed'] as const;
export type TurnState = (typeof turnStates)[number];

export const turnEvents = [
  /** A worker or a bot's daemon claims the turn and stores its placeholder. */
  'claim',
  'text',
  'finish',
  /** A provider's error, a timeout, an expired lease, or a drain that ran out of time. */
  'fail',
  /** A participant stops the turn. */
  'stop',
  /** The turn's message was deleted, or its agent was removed from the conversation. */
  'remove',
  /** After a restart: the turn is still queued, and the message that fired it is too old to answer. */
  'expire',
  /** After a restart: the turn runs again, see `restartEvent`. */
  'requeue',
  /** After a restart: the work of the previous process is lost. */
  'lose',
  /** The turn ends its stream until people have answered its decisions (WAIT-1). */
  'wait',
  /** A limit of its chain stops it before it begins, until a person lets the chain go on (DISPATCH-22). */
  'hold',
  /** The last decision that it waited for is answered: it is claimed again like any queued turn (WAIT-2). */
  'resume',
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
  wait: null,
  hold: null,
  resume: null,
};

const table: Record<TurnState, Record<TurnEvent, TurnState | null>> = {
  queued: {
    claim: 'streaming',
    text: null,
    finish: null,
    // A turn that cannot even begin must not stay in the queue forever.
    fail: 'failed',
    stop: 'cancelled',
    remove: 'cancelled',
    expire: 'cancelled',
    // The turn had not begun, so a restart changes nothing.
    requeue: null,
    lose: null,
    wait: null,
    hold: 'waiting',
    resume: null,
  },
  streaming: {
    // Two workers, or two daemons of one bot, may claim the turn; the second claim fails.
    claim: null,
    text: 'streaming',
    finish: 'complete',
    fail: 'failed',
    stop: 'cancelled',
    remove: 'cancelled',
    expire: null,
    requeue: 'queued',
    lose: 'failed',
    wait: 'waiting',
    hold: null,
    resume: null,
  },
  waiting: {
    claim: null,
    text: null,
    finish: null,
    fail: 'failed',
    stop: 'cancelled',
    remove: 'cancelled',
    // It is stored whole, so neither its age nor a restart changes anything.
    expire: null,
    requeue: null,
    lose: null,
    wait: null,
    hold: null,
    resume: 'queued',
  },
  complete: ended,
  cancelled: ended,
  failed: ended,
};

/** The state after the event; null if the event must be ignored. */
export function nextState(state: TurnState, event: TurnEvent): TurnState | null {
  return table[state][event];
}

const maxAttempts = 2;
/** How often a step of a turn with tools is begun: what came before it is stored, so more than one repetition is cheap. */
const maxAttemptsOfStep = 4;

/**
 * The event that a restart causes for a streaming turn of a provider agent. `attempts` counts its claims, since its last
 * stored step if it has any (TURN-19).
 */
export function restartEvent(turn: { hasText: boolean; attempts: number; steps?: number }): 'requeue' | 'lose' {
  if ((turn.steps ?? 0) > 0) return turn.attempts >= maxAttemptsOfStep ? 'lose' : 'requeue';
  return turn.hasText || turn.attempts >= maxAttempts ? 'lose' : 'requeue';
}
