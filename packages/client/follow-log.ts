import type { Result } from '@parley/protocol';
import { ApiError } from './api.ts';
import type { Connection } from './connection.ts';
import type { Listeners } from './event-names.ts';
import type { FrameReader } from './frame-reader.ts';
import { LogFollower, type LogFollowerParts } from './log-follower.ts';
import { ConnectionError } from './requests.ts';

/** Frames per page while catching up. Without a limit the service never answers with `more`. */
const UPDATES_PAGE = 1_000;

/** Follows the log over a connection, and passes its frames to the reader. */
export function followLog(
  connection: Connection,
  reader: FrameReader,
  listeners: Listeners,
  onError: (error: unknown) => void,
  system: Pick<LogFollowerParts, 'clock' | 'random'>,
): LogFollower {
  return new LogFollower({
    ...system,
    async getUpdates(since) {
      try {
        // The socket method of the same name returns the operation's result.
        return (await connection.request('getUpdates', { since, limit: UPDATES_PAGE })) as Result<'getUpdates'>;
      } catch (error) {
        if (error instanceof ConnectionError) connection.lose();
        throw error;
      }
    },
    onFrame: (frame, isReplay) => reader.read(frame, isReplay),
    // Texts that an earlier attempt fetched may be stale: the client followed no events since then.
    onStart: () => reader.forget(),
    onReload(head) {
      reader.forget();
      listeners.emit('reload', { head });
    },
    onGap: () => connection.dispatch('gap'),
    onCaughtUp: () => connection.dispatch('caughtUp'),
    onFailure(error) {
      if (error instanceof ApiError && error.status === 401) connection.refuse('unauthenticated');
      else if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) onError(error);
    },
  });
}
