// service/: composition: configuration, the engines, housekeeping, shutdown. Imports every room but transport and
// admin. The service without its transports: each room opens itself from the rooms before it. `main.ts` runs it.
import { openAgents } from '../agents/open-agents.ts';
import { openInteractions } from '../agents/open-interactions.ts';
import { openTyping } from '../agents/open-typing.ts';
import { performHere, type Forwarded } from '../calls/dispatch.ts';
import { openCalls } from '../calls/open-calls.ts';
import { openReceipts } from '../conversations/open-receipts.ts';
import { OwnerQueues } from '../core/owner-queues.ts';
import { Exports } from '../exports/exports.ts';
import { openFiles } from '../files/open-files.ts';
import type { Rooms } from '../operations/rooms.ts';
import { openPublishedKeys } from '../people/open-published-keys.ts';
import { openPreviews } from '../previews/open-previews.ts';
import { openPush } from '../push/open-push.ts';
import { openTextReader } from '../readers/open-text-reader.ts';
import { openRepliesRoom } from '../replies/open-replies-room.ts';
import { LiveSockets } from '../sockets/live-sockets.ts';
import { openSockets } from '../sockets/open-sockets.ts';
import { openWebhooks } from '../webhooks/open-webhooks.ts';
import { drain } from './drain.ts';
import { openHousekeeping } from './housekeeping.ts';
import type { Service, ServiceOptions } from './interface.ts';
import { livenessOf } from './liveness.ts';
import { openBase } from './open-base.ts';
import { openStore } from './open-store.ts';
import { startUp } from './start-up.ts';

/** The composition root: opens the rooms from the top of the table in docs/ARCHITECTURE.md to its end. */
export async function createService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  // core, secrets
  const base = openBase(options);
  const { config, settings, clock, life } = base;
  // store, commits, log, and of calls what the rooms use themselves
  const store = await openStore(options, base, opened);
  const { shared, others, queue } = store;
  const calls = openCalls({ ...base, ...store, rateBuckets: shared?.rateBuckets });
  const live = new LiveSockets();
  const basis = { ...base, ...store, ...calls, live, ...livenessOf(live, others), isDraining: () => life.isDraining };
  // readers, previews, files, push
  const textReader = openTextReader(basis, opened);
  const previews = openPreviews(basis, opened);
  const files = openFiles(basis, opened);
  const push = await openPush(basis, opened);
  // replies
  const streams = openRepliesRoom(
    {
      ...basis,
      textReader,
      isShared: shared !== null,
      // This node does not know which events sockets on other nodes receive, so with several nodes it assumes that
      // some receive them.
      listens: (chatKey, wanted) => shared !== null || store.hub.listens(chatKey, wanted),
      book: (booking) => store.units.bookUsage(booking),
      closeStream: (input) => store.run('closeStream', input),
      askForStreams: (node) => others.askForStreams([node]),
    },
    opened,
  );
  // agents
  const typing = openTyping({ ...basis, ...streams }, opened);
  const interactions = openInteractions({ ...basis, textReader, queryEnded: (id) => others.queryEnded(id) }, opened);
  const agents = openAgents({ ...basis, ...streams, files }, opened);
  // conversations, people
  const receipts = openReceipts(basis, opened);
  const publishedKeys = openPublishedKeys(basis, opened);
  // search, exports, webhooks, sockets
  const search = await store.openSearch();
  const exports = new Exports(config.secretKeys, basis);
  const webhooks = openWebhooks({ ...basis, ...streams, ...interactions, read: store.readNow }, opened);
  const sockets = openSockets({ ...basis, ...typing, push }, opened);
  const parts = {
    ...basis,
    ...streams,
    ...typing,
    ...interactions,
    ...agents,
    ...webhooks,
    ...sockets,
    textReader,
    previews,
    files,
    push,
    receipts,
    publishedKeys,
    search,
    exports,
  };
  // operations, calls
  const rooms: Rooms = {
    ...parts,
    read: store.readNow,
    peers: others,
    closeStream: parts.replyEnds.close,
    nameSearches: new OwnerQueues(),
    passwordTries: calls.rateLimits,
  };
  const perform = ({ name, input, caller, socketOpenedAt }: Forwarded) =>
    performHere({ rooms, settings, clock }, name, input, caller, socketOpenedAt);
  // service
  const service: Service = {
    ...parts,
    rooms,
    units: queue,
    forward: shared?.forwarding({ ...parts, perform }) ?? null,
    get isDraining() {
      return life.isDraining;
    },
    set isDraining(value) {
      life.isDraining = value;
    },
    readCount: () => shared?.reads ?? 0,
    drain: (patienceMs) => drain(service, patienceMs, shared !== null),
    close: () => closers.disposeAsync(),
  };
  openHousekeeping(parts, opened);
  await startUp(service, { shared, units: store.units, perform });
  const closers = opened.move();
  return service;
}
