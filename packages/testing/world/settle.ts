import type { LiveStream } from '@parley/server/replies/live-stream.ts';
import type { Service } from '@parley/server/service/interface.ts';
import { readsAnswered } from '../stores/slow-reads.ts';
import type { TestSocket } from './test-socket.ts';
import { turnOfLoop } from '../clocks/turn-of-loop.ts';

/** Consecutive ticks without activity before the services count as settled. */
const QUIET_TURNS = 3;
/** Ticks of the event loop before a wait leaves the core to others. */
const EAGER_TURNS = 20;
/** No account has this key. */
const NOBODY = 0;

/**
 * Drains every queue between an answered request and the frames received by clients. Waits for no timers, except those
 * of messages between nodes and, with the system's clock, those of paced patches and snapshots.
 */
export async function settle(
  services: readonly Service[],
  sockets: Iterable<TestSocket>,
  timePasses: boolean,
): Promise<void> {
  await drain(services, sockets, timePasses);
  const readers = [...sockets].filter((socket) => socket.isOpen && !socket.isPaused);
  // Nothing more is expected from a socket that is closing.
  await Promise.all(readers.map((socket) => Promise.race([socket.caughtUp(), socket.closed])));
}

async function drain(services: readonly Service[], sockets: Iterable<TestSocket>, timePasses: boolean): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < QUIET_TURNS; quiet += 1, turns += 1) {
    for (const { streams, hub } of services) {
      // Flushes the batched text of open replies without waiting for its timer.
      for (const stream of streams.all()) streams.publishPending(stream);
      hub.flush();
    }
    const before = services.map(({ log }) => log.published);
    if (services.length > 1) await nodesCaughtUp(services);
    await (turns < EAGER_TURNS ? turnOfLoop() : leaveTheCore());
    await readsAnswered();
    const isMoving = services.some(({ log }, at) => log.published !== before[at]);
    const isBusyAnywhere = services.some((service) => isBusy(service, timePasses) || hasClosed(service, sockets));
    if (isMoving || isBusyAnywhere) quiet = -1;
  }
}

/**
 * Resolves at a later tick, with the core free meanwhile: what a test waits for often happens in another thread, from which
 * a loop that only looks would take the time.
 */
export const leaveTheCore = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 1));

/**
 * Waits until each node has received what the others have stored or sent: an answer comes after all earlier messages.
 */
async function nodesCaughtUp(services: readonly Service[]): Promise<void> {
  await Promise.all(services.map(async ({ others }) => others.findLive(NOBODY)));
  await Promise.all(services.map(async ({ log }) => log.catchUp()));
}

/** True while the service still counts a socket as live that its client has closed. */
function hasClosed(service: Service, sockets: Iterable<TestSocket>): boolean {
  for (const { isClosed, hello } of sockets) if (isClosed && service.sockets.find(hello.socket)) return true;
  return false;
}

function isBusy({ streams, log, units, files, turns, others, webhooks }: Service, timePasses: boolean): boolean {
  const open = [...streams.all()];
  const isRendering = open.some((stream) => stream.isRendering || stream.draft.isRendering);
  const isPaced = timePasses && open.some((stream) => isBehind(stream));
  return (
    units.inFlight > 0 ||
    log.starved ||
    isRendering ||
    isPaced ||
    ![files, turns, others, webhooks].every((part) => part.isIdle)
  );
}

/** True if patches or a new snapshot wait for their time. */
const isBehind = ({ isLive, isRefreshScheduled, draft: { patched, published } }: LiveStream): boolean =>
  isLive && (isRefreshScheduled || (patched !== null && patched.revision !== published.revision));
