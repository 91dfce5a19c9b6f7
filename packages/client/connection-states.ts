// The life of a connection, as data: what each event makes of each state.

export type ConnectionState =
  | 'connecting' // a socket is being opened
  | 'recovering' // it is open; what was missed is being fetched
  | 'live' // everything is known, and comes as it happens
  | 'waiting' // for the next try
  | 'offline' // there is no network; tries are far between
  | 'closed'; // for good

export type ConnectionEvent =
  | 'hello' // the service has greeted
  | 'caughtUp' // nothing is missing
  | 'gap' // something is
  | 'lost' // the socket is closed, dead, or never came to be
  | 'retry' // it is time for another try
  | 'online'
  | 'offline'
  | 'refused' // the token is none, or none any more
  | 'close'; // by the user

/** Total: a pair that is not here does not compile. */
export const nextState: Readonly<Record<ConnectionState, Readonly<Record<ConnectionEvent, ConnectionState>>>> = {
  connecting: {
    hello: 'recovering', caughtUp: 'connecting', gap: 'connecting', lost: 'waiting', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
  },
  recovering: {
    hello: 'recovering', caughtUp: 'live', gap: 'recovering', lost: 'waiting', retry: 'recovering',
    online: 'recovering', offline: 'offline', refused: 'closed', close: 'closed',
  },
  live: {
    hello: 'live', caughtUp: 'live', gap: 'recovering', lost: 'waiting', retry: 'live',
    online: 'live', offline: 'offline', refused: 'closed', close: 'closed',
  },
  waiting: {
    hello: 'waiting', caughtUp: 'waiting', gap: 'waiting', lost: 'waiting', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
  },
  // A browser that says so may be wrong: it is tried all the same, now and then.
  offline: {
    hello: 'offline', caughtUp: 'offline', gap: 'offline', lost: 'offline', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
  },
  closed: {
    hello: 'closed', caughtUp: 'closed', gap: 'closed', lost: 'closed', retry: 'closed',
    online: 'closed', offline: 'closed', refused: 'closed', close: 'closed',
  },
}; // prettier-ignore
