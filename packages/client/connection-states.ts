// The states of a connection as data: the next state for each state and event.

export type ConnectionState =
  | 'connecting' // a socket is being opened
  | 'recovering' // the socket is open; missed events are being fetched
  | 'live' // no events are missing; new ones are delivered as they come
  | 'waiting' // for the next attempt
  | 'offline' // no network; attempts are rare
  | 'closed'; // until the app calls connect()

export type ConnectionEvent =
  | 'hello' // the service has sent its greeting
  | 'caughtUp' // no events are missing
  | 'gap' // events are missing
  | 'lost' // the socket closed, timed out or never opened
  | 'retry' // the delay before the next attempt is over
  | 'online'
  | 'offline'
  | 'refused' // the service does not accept the token, or no longer does
  | 'close' // the app called close()
  | 'connect' // the app called connect()
  | 'connectOffline'; // it did while there seems to be no network

/** Total: a missing state or event does not compile. */
export const nextState: Readonly<Record<ConnectionState, Readonly<Record<ConnectionEvent, ConnectionState>>>> = {
  connecting: {
    hello: 'recovering', caughtUp: 'connecting', gap: 'connecting', lost: 'waiting', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
    connect: 'connecting', connectOffline: 'connecting',
  },
  recovering: {
    hello: 'recovering', caughtUp: 'live', gap: 'recovering', lost: 'waiting', retry: 'recovering',
    online: 'recovering', offline: 'offline', refused: 'closed', close: 'closed',
    connect: 'recovering', connectOffline: 'recovering',
  },
  live: {
    hello: 'live', caughtUp: 'live', gap: 'recovering', lost: 'waiting', retry: 'live',
    online: 'live', offline: 'offline', refused: 'closed', close: 'closed',
    connect: 'live', connectOffline: 'live',
  },
  waiting: {
    hello: 'waiting', caughtUp: 'waiting', gap: 'waiting', lost: 'waiting', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
    connect: 'waiting', connectOffline: 'waiting',
  },
  // A browser can wrongly report that it is offline, so connecting is still attempted now and then.
  offline: {
    hello: 'offline', caughtUp: 'offline', gap: 'offline', lost: 'offline', retry: 'connecting',
    online: 'connecting', offline: 'offline', refused: 'closed', close: 'closed',
    connect: 'offline', connectOffline: 'offline',
  },
  closed: {
    hello: 'closed', caughtUp: 'closed', gap: 'closed', lost: 'closed', retry: 'closed',
    online: 'closed', offline: 'closed', refused: 'closed', close: 'closed',
    connect: 'connecting', connectOffline: 'offline',
  },
}; // prettier-ignore
