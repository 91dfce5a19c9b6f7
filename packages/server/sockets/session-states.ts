// The life of one live socket. The table answers every event in every state: the next state, `ignored`, or
// `impossible`, which is a fault of the service.

export const sessionStates = [
  /**
   * The hub loads the account's conversations and head; nothing is read from the socket, and the hello is not sent yet.
   */
  'greeting',
  'open',
  /** The token became invalid: the socket takes no further request, but pending replies are still sent. */
  'ending',
  /** The close handshake began, or the connection broke. */
  'closing',
  'gone',
] as const;
export type SessionState = (typeof sessionStates)[number];

export const sessionEvents = [
  /** The hub added the socket to its subscription. */
  'join',
  /** The socket's session or token was ended (AUTH-7). */
  'end',
  /** The service closes the socket. */
  'close',
  /** The client sent a close frame, sent a malformed frame, or the connection broke. */
  'disconnect',
  /** The connection is closed. */
  'gone',
] as const;
export type SessionEvent = (typeof sessionEvents)[number];

type Transition = SessionState | 'ignored' | 'impossible';

const transitions: Record<SessionState, Record<SessionEvent, Transition>> = {
  greeting: { join: 'open', end: 'ending', close: 'closing', disconnect: 'closing', gone: 'gone' },
  open: { join: 'impossible', end: 'ending', close: 'closing', disconnect: 'closing', gone: 'gone' },
  // A socket may end before the hub adds it. The hub then still adds it, because it removes every closed socket.
  ending: { join: 'ending', end: 'ignored', close: 'closing', disconnect: 'closing', gone: 'gone' },
  // The hub adds only open sockets: to a closed one it would send frames until the service stops.
  closing: { join: 'impossible', end: 'ignored', close: 'ignored', disconnect: 'ignored', gone: 'gone' },
  gone: { join: 'impossible', end: 'ignored', close: 'ignored', disconnect: 'ignored', gone: 'ignored' },
};

export interface Abilities {
  takesRequests: boolean;
  sendsFrames: boolean;
  /** Replies, pings, and the frames that are held. */
  sendsReplies: boolean;
}

/** What a socket does in each state. */
export const abilities: Record<SessionState, Abilities> = {
  // Nothing is read before the hello, so no request arrives to be dropped; no heartbeat precedes the hello (SOCKET-1).
  greeting: { takesRequests: true, sendsFrames: false, sendsReplies: true },
  open: { takesRequests: true, sendsFrames: true, sendsReplies: true },
  ending: { takesRequests: false, sendsFrames: false, sendsReplies: true },
  closing: { takesRequests: false, sendsFrames: false, sendsReplies: false },
  gone: { takesRequests: false, sendsFrames: false, sendsReplies: false },
};

/** The state after the event, or null if the event is ignored. Throws if the event cannot happen in that state. */
export function nextSessionState(state: SessionState, event: SessionEvent): SessionState | null {
  const next = transitions[state][event];
  if (next === 'impossible') throw new Error(`a socket that is ${state} cannot ${event}`);
  return next === 'ignored' ? null : next;
}
