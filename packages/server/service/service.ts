// service/: composition: configuration, the engines, housekeeping, shutdown. Imports every room but transport and
// admin. The service without its transports: each room opens itself from the rooms before it. `main.ts` runs it.
import { openAgents } from '../agents/open-agents.ts';
import { openInteractions } from '../agents/open-interactions.ts';
import { openTyping } from '../agents/open-typing.ts';
import { performHere, type Forwarded } from '../calls/dispatch.ts';
import { openCalls } from '../calls/open-calls.ts';
import { openReceipts } from '../conversations/open-receipts.ts';
import { OwnerQueues } from '../core/owner-queues.ts';
import { endStep } from '../core/start-steps.ts';
import { Exports } from '../exports/exports.ts';
import { openFiles } from '../files/open-files.ts';
import type { Rooms } from '../operations/rooms.ts';
import { openPublishedKeys } from '../people/open-published-keys.ts';
import { openOidc } from '../people/oidc/open-oidc.ts';
import { Programs } from '../people/programs/programs.ts';
import { openOwnTools } from '../own-tools/open-own-tools.ts';
import { openLibrary } from '../library/open-library.ts';
import { openPreviews } from '../previews/open-previews.ts';
import { openPush } from '../push/open-push.ts';
import { openTextReader } from '../readers/open-text-reader.ts';
import { openRepliesRoom } from '../replies/open-replies-room.ts';
import { LiveSockets } from '../sockets/live-sockets.ts';
import { openSockets } from '../sockets/open-sockets.ts';
import { openTools } from '../tools/open-tools.ts';
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
  const { config, settings, clock, logger, answers, life } = base;
  // store, commits, log, and of calls what the rooms use themselves
  const store = await openStore(options, base, opened);
  endStep('store');
  const { hub, log, typingEnds, accounts, shared, others } = store;
  const calls = openCalls({ ...base, ...store, rateBuckets: shared?.rateBuckets });
  const live = new LiveSockets();
  const basis = { ...base, ...store, ...calls, live, ...livenessOf(live, others) };
  // readers, previews, files, library, push
  const textReader = openTextReader(basis, opened);
  const previews = openPreviews(basis, opened);
  const files = openFiles(basis, opened);
  const library = openLibrary({ ...basis, files }, opened);
  const push = await openPush(basis, opened);
  // replies
  const replies = openRepliesRoom(
    {
      ...basis,
      textReader,
      isShared: shared !== null,
      // This node does not know which events sockets on other nodes receive, so with several nodes it assumes that
      // some receive them.
      listens: (chatKey, wanted) => shared !== null || hub.listens(chatKey, wanted),
      book: (booking) => store.units.bookUsage(booking),
      closeStream: (input) => store.run('closeStream', input),
      askForStreams: (node) => others.askForStreams([node]),
    },
    opened,
  );
  const { streams, replicas, replyEnds } = replies;
  // tools
  const { toolServers, toolAddresses, toolLogins } = openTools(basis, opened);
  // search, and the service's own tools, which agents use
  const search = await store.openSearch();
  const ownTools = openOwnTools({ ...basis, files, search }, opened);
  // agents
  const { typing, typingJournal } = openTyping({ ...basis, ...replies }, opened);
  const interactions = openInteractions({ ...basis, textReader, queryEnded: (id) => others.queryEnded(id) }, opened);
  const { inlineQueries } = interactions;
  const agents = openAgents({ ...basis, ...replies, files, textReader, toolServers, ownTools }, opened);
  const { transcripts, callContents } = agents;
  // conversations, people
  const receipts = openReceipts(basis, opened);
  const publishedKeys = openPublishedKeys(basis, opened);
  const oidc = openOidc(basis, opened);
  const programs = new Programs({ clock, config, guarded: toolAddresses });
  // exports, webhooks, sockets
  const exports = new Exports(config.secretKeys, basis);
  const { webhooks, webhookReceivers } = openWebhooks(
    { ...basis, ...replies, ...interactions, read: store.readNow },
    opened,
  );
  const { sockets, presence } = openSockets({ ...basis, typing, push }, opened);
  /** What operations and the transports both use. */
  const common = {
    config,
    clock,
    logger,
    answers,
    accounts,
    log,
    hub,
    typingEnds,
    files,
    push,
    streams,
    typing,
    inlineQueries,
    transcripts,
    callContents,
    search,
    exports,
    sockets,
    presence,
  };
  // operations, calls
  const rooms: Rooms = {
    ...common,
    keys: base.keys,
    read: store.readNow,
    flushed: store.flushed,
    textReader,
    texts: replies.texts,
    replies: replies.replies,
    closeStream: replyEnds.close,
    offeredActions: interactions.offeredActions,
    modelLists: agents.modelLists,
    modelServers: agents.modelServers,
    toolServers,
    toolAddresses,
    toolLogins,
    publishedKeys,
    oidc,
    programs,
    webhookReceivers,
    peers: others,
    nameSearches: new OwnerQueues(),
    passwordTries: calls.rateLimits,
  };
  const perform = ({ name, input, caller, socketOpenedAt }: Forwarded) =>
    performHere({ rooms, settings, clock }, name, input, caller, socketOpenedAt);
  // service
  const service: Service = {
    ...common,
    settings,
    disk: base.disk,
    held: base.held,
    read: store.read,
    upkeep: store.upkeep,
    units: store.queue,
    standing: store.standing,
    isReady: store.isReady,
    others,
    authenticator: calls.authenticator,
    rateLimits: calls.rateLimits,
    arrivals: calls.arrivals,
    tokenUses: calls.tokenUses,
    previews,
    library,
    replicas,
    replyEnds,
    typingJournal,
    turns: agents.turns,
    titles: agents.titles,
    receipts,
    webhooks,
    rooms,
    forward: shared?.forwarding({ read: store.read, log, streams, replicas, inlineQueries, perform }) ?? null,
    get isDraining() {
      return life.isDraining;
    },
    readCount: () => shared?.reads ?? 0,
    heardCounts: () => shared?.heard ?? { heard: 0, ofUse: 0 },
    drain: (patienceMs) => drain(service, life, { patienceMs, hasOthers: shared !== null }),
    close: () => closers.disposeAsync(),
  };
  openHousekeeping({ ...basis, streams, replyEnds, files, library, search, webhooks, oidc }, opened);
  endStep('rooms');
  await startUp(service, { shared, units: store.units, life, perform });
  const closers = opened.move();
  return service;
}
