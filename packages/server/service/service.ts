// service/: composition: configuration, the engines, housekeeping, shutdown. Imports every room but transport and
// admin. The service without its transports: its parts and the order in which they are created. `main.ts` runs it. A
// part uses only parts created before it; subscriptions between parts are made in `startUp`.
import { ChatTitles } from '../agents/chat-titles.ts';
import { Checkpoints } from '../replies/checkpoints.ts';
import { InlineQueries } from '../agents/inline-queries.ts';
import { LiveStreams } from '../replies/live-streams.ts';
import { ReplyReplicas } from '../replies/reply-replicas.ts';
import { OfferedActions } from '../agents/offered-actions.ts';
import { OpenReplies } from '../replies/open-replies.ts';
import { PendingSnapshots } from '../replies/pending-snapshots.ts';
import { providersOf } from '../agents/providers/choices.ts';
import { ModelLists } from '../agents/providers/model-lists.ts';
import { ReplyEnds } from '../replies/reply-ends.ts';
import { Summaries } from '../agents/summaries.ts';
import { Transcripts } from '../agents/transcripts.ts';
import { Turns } from '../agents/turn-runner.ts';
import { ReadReceipts } from '../conversations/read-receipts.ts';
import { TypingIndicators, typingPlaceOf } from '../agents/typing.ts';
import { TypingEnds } from '../agents/typing-ends.ts';
import { TypingJournal } from '../agents/typing-journal.ts';
import { Authenticator } from '../calls/authenticate.ts';
import { type Forwarded, type HandlerPorts, performHere } from '../calls/dispatch.ts';
import { singleNode } from '../calls/other-nodes.ts';
import { ArrivalLimits } from '../calls/arrival-limits.ts';
import { RateLimits } from '../calls/rate-limits.ts';
import { theService, UnitQueue } from '../calls/unit-queue.ts';
import { unitCallers } from '../commits/unit-callers.ts';
import { ByteBudget } from '../core/byte-budget.ts';
import { ServiceClock, systemClock } from '../core/clock.ts';
import { DiskSpace } from '../core/disk-space.ts';
import { idText } from '../core/ids.ts';
import { OwnerQueues } from '../core/owner-queues.ts';
import { ReaderThread } from '../readers/reader-thread.ts';
import { TextReader } from '../readers/text-reader.ts';
import { isShort } from '../rules/text-reading.ts';
import { defaultSettings, type Settings } from '../core/settings.ts';
import { Exports } from '../exports/exports.ts';
import { Files } from '../files/files.ts';
import { FileUrls, holdsFileUrls } from '../files/signatures.ts';
import type { EventLog } from '../log/event-log.ts';
import { Hub } from '../log/hub.ts';
import type { Rooms } from '../operations/rooms.ts';
import { GuardedFetch } from '../outbound/guarded-fetch.ts';
import { LinkPreviews } from '../previews/link-previews.ts';
import { PublishedKeys } from '../people/published-keys.ts';
import { isLive } from '../push/liveness.ts';
import { PushDelivery } from '../push/delivery.ts';
import { openVapid, sendsWebPushes } from '../push/made-vapid.ts';
import { KeyRing } from '../secrets/seal.ts';
import { PresenceWatch } from '../sockets/presence-watch.ts';
import { Sockets } from '../sockets/sockets.ts';
import { accountByKey, turnOwner } from '../store/accounts.ts';
import { chatByKey } from '../store/chats.ts';
import { type LiveTexts, messageJson } from '../rendering/messages.ts';
import { messageByKey } from '../store/messages.ts';
import type { Awaitable } from '../store/sql.ts';
import { internalUnits } from '../units/index.ts';
import { WebhookDeliveries } from '../webhooks/deliveries.ts';
import { calmLogger } from './calm-logger.ts';
import { drain } from './drain.ts';
import { openEngine } from './engines/open-engine.ts';
import { HeldCallbacks } from './held-callbacks.ts';
import { Housekeeping } from './housekeeping.ts';
import { startStore as startStoreThread } from './start-store.ts';
import { startUp } from './start-up.ts';
import type { Service, ServiceOptions, Standing } from './interface.ts';

/** How long a caller waits while the store is unavailable or its batch is delayed. */
const PATIENCE_MS = 15_000;

/** The composition root. Parts are closed in the reverse order of their creation, also if a later one fails to start. */
export async function createService(options: ServiceOptions): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  const { config, settings: given, startStore = startStoreThread, wrapRead = (read) => read } = options;

  // Parts that everything uses. A single process uses the machine's clock; nodes share the database's.
  const clock = new ServiceClock(options.clock);
  const logger = calmLogger(options.logger, options.clock);
  const settings: Settings = {
    ...defaultSettings,
    signUpOpen: config.signUp === 'open',
    directory: config.directory,
    pushes: sendsWebPushes(config) || config.apns !== null,
    linkPreviews: config.linkPreviews.isPublicAllowed || config.linkPreviews.origins.size > 0,
    fileSearch: config.fileSearch,
    storedBytes: config.maxStoredBytes,
    ...given,
  };
  const keys = new KeyRing(config.secretKeys);
  const answers = new ByteBudget(settings.answerBytes, settings.ownAnswerBytes);
  const disk = new DiskSpace(config, logger);
  const touchedSessions = new Set<number>();
  const life = { isDraining: false, isStoreLost: false };
  const isDraining = (): boolean => life.isDraining;

  // The log, the hub and the store.
  const urls = new FileUrls(config.secretKeys, clock);
  const sign = (text: string, accountKey: number): string => urls.sign(text, accountKey);
  const hub = new Hub({ in: holdsFileUrls, sign });
  const snapshots = new PendingSnapshots();
  const typingEnds = new TypingEnds(clock);
  const engine = await openEngine({
    config,
    settings,
    clock,
    startStore,
    wrapRead,
    publish(event) {
      snapshots.published(event);
      typingEnds.published(event);
      hub.publish(event);
    },
    skip(scope, seq) {
      snapshots.skipped(scope);
      hub.skip(scope, seq);
    },
    onFault: (error, what) => logger.error({ err: error }, what),
  });
  opened.defer(() => engine.close());
  const { log, read, readNow, accounts, runner, shared } = engine;
  const flushed = (): Awaitable<void> => engine.flushed();
  hub.attach(log);
  if (shared) clock.follow(() => shared.clockCorrectionMs);
  const others = shared?.others ?? singleNode;
  opened.defer(() => others.close());
  const standing: Standing = { isSure: () => shared?.isSure() ?? true, isLead: () => shared?.isLead ?? true };
  const isSure = (): Awaitable<boolean> => standing.isSure();
  const units = new UnitQueue(runner, {
    log,
    ...(shared && { patience: { clock: systemClock, ms: PATIENCE_MS } }),
    onFault: (fault) => logger.error({ fault }, 'a unit of work failed'),
  });
  opened.defer(() => units.close());
  runner.onFailure = (error) => {
    if (life.isStoreLost) return;
    life.isStoreLost = true;
    logger.fatal({ err: error }, shared ? 'this node stops' : 'the store failed');
    units.abort();
    options.onStoreFailure(error);
  };
  const held = new HeldCallbacks(logger, options.clock);
  runner.onHeld = (callback) => held.record('store', callback);
  const ownUnits = unitCallers(internalUnits, (name, input, caller = theService) =>
    units.run(name, caller, input, clock.now()),
  );
  const vapid = await openVapid({ config, logger, keys, read, keep: (sealed) => ownUnits.keepVapidKey(sealed) });
  const upkeep = engine.upkeep(ownUnits);
  const search = await engine.openSearch(ownUnits);

  // Accounts and their sockets.
  const authenticator = new Authenticator({
    read: readNow,
    flushed,
    accounts,
    clock,
    devTokens: config.devTokens,
    makeDevAccount: (username) => ownUnits.ensureDevAccount({ username }),
    touchSession: (sessionKey) => void touchedSessions.add(sessionKey),
  });
  const sockets = new Sockets({
    clock,
    hub,
    openedElsewhere: (accountKey) => others.openedAt(accountKey),
    keepSession: (sessionKey) => authenticator.keepSession(sessionKey),
  });
  const heardAt = (accountKey: number): number | null =>
    latest(sockets.heardAt(accountKey), others.heardAt(accountKey));
  const presence = new PresenceWatch({
    clock,
    read,
    hub,
    isLive: (accountKey) => isLive(heardAt(accountKey), clock.monotonic()),
    onFault: (error) => logger.error({ err: error }, 'failed to send who is online'),
  });
  opened.defer(() => presence.close());
  const publish: EventLog['publishTransient'] = (event) => log.publishTransient(event);
  const typingJournal = new TypingJournal(config.dataDir, {
    clock,
    current: () => [...typing.places(), ...[...streams.all()].map(({ info }) => typingPlaceOf(info))],
    onFault: (error) => logger.error({ err: error }, 'failed to note who is typing'),
  });
  opened.defer(() => typingJournal.close());
  const typing = new TypingIndicators({
    clock,
    publish,
    isLive: (accountKey) => sockets.isLive(accountKey) || others.findLive(accountKey),
    begins: (place) => typingJournal.note(place),
  });
  opened.defer(() => typing.close());
  const receipts = new ReadReceipts({
    clock,
    read,
    publish,
    onFault: (error) => logger.error({ err: error }, 'failed to publish read receipts'),
  });
  opened.defer(() => receipts.close());
  const inlineQueries = new InlineQueries({ clock, publish, ended: (id) => others.queryEnded(id) });
  opened.defer(() => inlineQueries.close());

  // Streaming replies and the turns that write them.
  const streams = new LiveStreams({
    clock,
    snapshots,
    checkpoints: new Checkpoints({
      clock,
      revisionBlock: settings.revisionBlock,
      write: (checkpoint) => ownUnits.checkpoint(checkpoint),
    }),
    publish,
    render: async (messageKey, open) => {
      const row = await read.get(messageByKey, messageKey);
      if (!row) throw new Error('an open stream has its message');
      return (await messageJson({ tx: read, accounts }, row, { get: () => open })).text;
    },
    isShared: shared !== null,
    socketsOf: (agentKey) => [...sockets.openedAt(agentKey), ...others.openedAt(agentKey)],
    // This node does not know which events sockets on other nodes receive, so with several nodes it assumes that some
    // receive them.
    listens: (chatKey, wanted) => shared !== null || hub.listens(chatKey, wanted),
  });
  opened.defer(() => streams.close());
  const replicas = new ReplyReplicas((node) => others.askForStreams([node]));
  const texts: LiveTexts = {
    get(messageKey) {
      const stream = streams.get(messageKey);
      return stream ? streams.textOf(stream) : replicas.get(messageKey)?.numbered;
    },
  };
  const textReader = new TextReader(clock, (error) => logger.error({ err: error }, 'failed to read a text'));
  opened.defer(() => textReader.close());
  const replyEnds = new ReplyEnds({
    streams,
    numbered: () => log.numbered(),
    store: async (input) => {
      const { agentKey, text } = input;
      if (isShort(text)) return units.run('closeStream', theService, input, clock.now());
      // The agents of an owner take turns with other owners, not with each other.
      const ownerKey = (await read.get(accountByKey, agentKey))?.parent_key ?? agentKey;
      const reading = await textReader.read(text, ownerKey);
      return units.run('closeStream', theService, { ...input, reading }, clock.now());
    },
    book: (booking) => ownUnits.bookUsage(booking),
    onFault: (error) => logger.error({ err: error }, 'failed to book the usage of a reply'),
  });
  const files = new Files({ config, settings, clock, logger, read, urls, storage: engine.storage, units: ownUnits });
  opened.defer(() => files.close());
  const modelServers = new GuardedFetch(config.agentEndpoints);
  opened.defer(() => modelServers.close());
  const providers = providersOf({
    config,
    clock,
    logger,
    random: Math.random,
    guarded: modelServers.fetch,
    isSure,
  });
  const rateOf = (model: string) => config.agentPrices.get(model) ?? null;
  const onTurnFault = (error: unknown, turn: { key: number }): void =>
    logger.error({ err: error, turn: turn.key }, 'a turn failed');
  const modelLists = new ModelLists({ config, clock, guarded: modelServers.fetch });
  const transcripts = new Transcripts({
    config,
    clock,
    read,
    keys,
    storage: files.storage,
    guarded: modelServers.fetch,
    modelLists,
    providers,
    rateOf,
    isSure,
    units: ownUnits,
    onFault: (error) => logger.error({ err: error }, 'failed to transcribe a voice message'),
  });
  opened.defer(() => transcripts.stop());
  const turns = new Turns({
    clock,
    read,
    streams,
    keys,
    readings: files.readings,
    summaries: new Summaries({ clock, read, units: ownUnits, onFault: onTurnFault }),
    transcripts,
    providers,
    rateOf,
    turnsAtOnce: settings.turnsAtOnce,
    turnsOfOwner: settings.turnsOfOwner,
    async claim({ key: turnKey, chat_key, human_key: humanKey }, agent) {
      const chat = await read.get(chatByKey, chat_key);
      if (!chat) throw new Error('a turn has its conversation');
      const owner = { ownerKey: turnOwner(agent), agentName: agent.username };
      return ownUnits.claimTurn({ turnKey, chatId: idText(chat.id), humanKey, ...owner });
    },
    close: async (stream, end) => void (await replyEnds.close(stream, end)),
    bookUsage: (stream, estimatedTokens) => replyEnds.bookUsage(stream, false, estimatedTokens),
    onFault: onTurnFault,
    onQueueFault: (error) => logger.error({ err: error }, 'failed to read waiting turns'),
  });
  // For a start that fails after it has taken over turns; those of a running service end in `drain`.
  opened.defer(() => turns.drain(Promise.resolve()));

  const titles = new ChatTitles({
    clock,
    rateOf,
    read,
    keys,
    providers,
    store: (request, end) => ownUnits.nameChat({ request, ...end }),
    onFault: (error) => logger.error({ err: error }, 'failed to make a title'),
  });
  opened.defer(() => titles.stop());

  const webhookReceivers = new GuardedFetch(config.webhookEndpoints);
  opened.defer(() => webhookReceivers.close());
  const linkedPages = new GuardedFetch(config.linkPreviews);
  opened.defer(() => linkedPages.close());
  // A thread of its own, so that pages do not delay messages.
  const pageReader = new ReaderThread(clock, (error) => logger.error({ err: error }, 'failed to read a page'));
  opened.defer(() => pageReader.close());
  const previews = new LinkPreviews({
    clock,
    read,
    fetch: linkedPages.fetch,
    readPage: (page, ownerKey) => pageReader.run('page', page, ownerKey),
    keep: (page) => ownUnits.keepPreview(page),
    attach: (request, preview) => ownUnits.attachPreview({ request, preview }),
    onFault: (error) => logger.error({ err: error }, 'failed to store the preview of a link'),
  });
  opened.defer(() => previews.stop());

  const keyServers = new GuardedFetch(config.jwksEndpoints);
  opened.defer(() => keyServers.close());
  const publishedKeys = new PublishedKeys({
    clock,
    fetch: keyServers.fetch,
    keep: (fetched) => ownUnits.keepBackendKeys(fetched),
    onNoKeys: (backend, reason) =>
      logger.warn({ backend, reason }, 'failed to fetch the public keys of a backend; the known ones stay valid'),
    onFault: (error) => logger.error({ err: error }, 'failed to store the public keys of a backend'),
  });
  opened.defer(() => publishedKeys.stop());

  // Pushes, exports.
  const push = new PushDelivery({
    config: { ...config, vapid },
    clock,
    logger,
    read,
    random: Math.random,
    heardAt,
    isElsewhere: (accountKey) => others.isLive(accountKey),
    isSure,
    units: ownUnits,
  });
  opened.defer(() => push.stop(0));
  const exports = new Exports(config.secretKeys, { clock, read, sign, isDraining });

  // Operations, and the parts that call them.
  const rateLimits = config.rateLimits ? new RateLimits(config.rates, shared?.rateBuckets) : null;
  const rooms: Rooms = {
    read: readNow,
    flushed,
    accounts,
    clock,
    logger,
    config,
    log,
    hub,
    texts,
    streams,
    replies: new OpenReplies(streams, replicas),
    closeStream: replyEnds.close,
    typing,
    typingEnds,
    inlineQueries,
    offeredActions: new OfferedActions(textReader),
    textReader,
    sockets,
    peers: others,
    presence,
    push,
    modelServers,
    webhookReceivers,
    publishedKeys,
    modelLists,
    transcripts,
    files,
    exports,
    search,
    nameSearches: new OwnerQueues(),
    answers,
    keys,
    passwordTries: rateLimits,
  };
  const webhooks = new WebhookDeliveries({
    clock,
    random: Math.random,
    rooms,
    keys,
    fetch: webhookReceivers.fetch,
    sign,
    units: ownUnits,
    isSure,
    isPaused: () => disk.isFull,
    onFault: (error) => logger.error({ err: error }, 'failed to deliver to a webhook'),
  });
  opened.defer(() => webhooks.stop());
  const handlerPorts: HandlerPorts = { rooms, settings, clock };
  const perform = ({ name, input, caller, socketOpenedAt }: Forwarded) =>
    performHere(handlerPorts, name, input, caller, socketOpenedAt);
  const service: Service = {
    config,
    settings,
    clock,
    logger,
    read,
    accounts,
    log,
    upkeep,
    hub,
    units,
    streams,
    replicas,
    replyEnds,
    typing,
    typingEnds,
    typingJournal,
    receipts,
    inlineQueries,
    turns,
    transcripts,
    titles,
    previews,
    sockets,
    presence,
    push,
    search,
    webhooks,
    files,
    exports,
    disk,
    held,
    answers,
    authenticator,
    rooms,
    others,
    forward: shared?.forwarding({ read, log, streams, replicas, inlineQueries, perform }) ?? null,
    rateLimits,
    arrivals: config.rateLimits ? new ArrivalLimits(config.rates, () => clock.monotonic()) : null,
    get isDraining() {
      return life.isDraining;
    },
    set isDraining(value) {
      life.isDraining = value;
    },
    standing,
    readCount: () => shared?.reads ?? 0,
    isReady: () => engine.isReady(),
    drain: (patienceMs) => drain(service, patienceMs, shared !== null),
    close: () => closers.disposeAsync(),
  };
  const housekeeping = new Housekeeping({
    clock,
    logger,
    read,
    units: ownUnits,
    upkeep,
    streams,
    replyEnds,
    files,
    search,
    isFileSearchOn: settings.fileSearch,
    disk,
    touchedSessions,
    webhooks,
    isLead: () => standing.isLead(),
    isDraining,
  });
  opened.defer(() => {
    life.isDraining = true;
    housekeeping.stop();
  });
  housekeeping.start();
  await startUp(service, { shared, units: ownUnits, perform });
  const closers = opened.move();
  return service;
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
