import type { LiveStream } from '@parley/server/agents/live-streams.ts';
import type { Service } from '@parley/server/service.ts';
import type { TestSocket } from './test-socket.ts';
import { turnOfLoop } from './turn-of-loop.ts';

/** Turns of the loop without anything under way, before that is believed. */
const QUIET_TURNS = 3;

/**
 * Drains every queue between an answered request and the frames in its readers' hands. Nothing waits for a timer, but
 * for the pace of patches where time passes by itself.
 */
export async function settle(service: Service, sockets: Iterable<TestSocket>, timePasses: boolean): Promise<void> {
  await drainStore(service, timePasses);
  const readers = [...sockets].filter((socket) => socket.isOpen && !socket.isPaused);
  // A socket that is closed meanwhile has nothing to wait for.
  await Promise.all(readers.map((socket) => Promise.race([socket.caughtUp(), socket.closed])));
}

async function drainStore({ streams, log, hub, units, files, turns }: Service, timePasses: boolean): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    // What has gathered of open replies need not wait for its timer.
    for (const stream of streams.all()) streams.show(stream);
    hub.flush();
    await turnOfLoop();
    const isRendering = [...streams.all()].some((stream) => stream.isRendering || stream.draft.isRendering);
    const isPaced = timePasses && [...streams.all()].some((stream) => isBehind(stream));
    const isLooking = !files.isIdle || !turns.isIdle;
    if (units.inFlight > 0 || log.starved || isRendering || isPaced || isLooking) quiet = -1;
  }
}

/** True when its patches wait for their time. */
const isBehind = ({ closing, draft: { patch, latest } }: LiveStream): boolean =>
  !closing && patch !== null && patch.revision !== latest.revision;
