// The service itself: what is created once, and the way of a call through it. `main.ts` runs it, this file puts the
// parts together, `dispatch.ts` calls operations, `unit-queue.ts` hands writes to the store's thread, `apply-intent.ts`
// moves memory after a commit. The folders are the rooms of docs/ARCHITECTURE.md.
import type { Logger } from 'pino';
import { InlineQueries } from '../agents/inline-queries.ts';
import { Mirrors } from '../agents/mirrors.ts';
import { OfferedActions } from '../agents/offered-actions.ts';
import { OpenReplies } from '../agents/open-replies.ts';
import { Checkpoints } from '../agents/checkpoints.ts';
import type { LiveStream } from '../agents/live-stream.ts';
import { LiveStreams } from '../agents/live-streams.ts';
import { providersOf } from '../agents/providers/choices.ts';
import { type EndOfReply, Turns } from '../agents/turn-runner.ts';
import { TypingIndicators } from '../agents/typing.ts';
import { Authenticator } from '../calls/authenticate.ts';
import { ByteBudget } from '../core/byte-budget.ts';
import { calmLogger } from './calm-logger.ts';
import { AdjustedClock, type Clock, systemClock } from '../core/clock.ts';
import type { Config } from './config.ts';
import { applyIntent, applyShared, heardElsewhere } from './apply-intent.ts';
import { idText } from '../core/ids.ts';
import { drain } from './drain.ts';
import { openEngine } from './engines/open-engine.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { EventLog } from '../log/event-log.ts';
import { Hub } from '../log/hub.ts';
import { nobodyElse, type OtherNodes } from '../calls/other-nodes.ts';
import { DiskSpace } from '../core/disk-space.ts';
import { Exports } from '../exports/exports.ts';
import { Files } from '../files/files.ts';
import { Housekeeping } from './housekeeping.ts';
import { OwnerLines } from '../core/owner-queues.ts';
import { PushDelivery } from '../push/delivery.ts';
import { KeyRing } from '../secrets/seal.ts';
import { RateLimits } from '../calls/rate-limits.ts';
import type { MessageSearch } from '../search/message-search.ts';
import { defaultSettings, type Settings } from '../core/settings.ts';
import { Sockets } from '../sockets/sockets.ts';
import { chatByKey } from '../store/chats.ts';
import { startStoreThread } from '../commits/engines/sqlite-thread.ts';
import { type LiveTexts, messageByKey, messageJson } from '../store/messages.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import { theService, UnitQueue } from '../calls/unit-queue.ts';
import type { CloseOpenStream, CloseStream } from '../agents/close-stream.ts';
import { internalUnits } from '../units/index.ts';
import { unitCallers } from '../commits/unit-callers.ts';

/** Whoever calls waits no longer for a store of its own that is away, or for a turn that does not come. */
const PATIENCE_MS = 15_000;
export interface ServiceOptions {
  config: Config;
  clock: Clock;
  logger: Logger;
  settings?: Partial<Settings>;
  /** Runs the units of work; a thread of its own unless a test steers the store. */
  startStore?: typeof startStoreThread;
  /** What the main thread reads through: a test makes its answers come late. */
  wrapRead?: (read: Sql) => Sql;
}

/** Everything that lives as long as the process: made once, handed to operations and transports. */
export interface Service {
  readonly config: Config;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly read: Sql;
  readonly log: EventLog;
  readonly upkeep: LogUpkeep;
  readonly hub: Hub;
  readonly units: UnitQueue;
  readonly streams: LiveStreams;
  readonly replies: OpenReplies;
  readonly mirrors: Mirrors;
  readonly texts: LiveTexts;
  readonly typing: TypingIndicators;
  readonly inlineQueries: InlineQueries;
  readonly turns: Turns;
  readonly sockets: Sockets;
  readonly push: PushDelivery;
  readonly search: MessageSearch;
  /** One search of each owner at a time (ACCT-11). */
  readonly acquaintanceSearches: OwnerLines;
  readonly files: Files;
  readonly exports: Exports;
  readonly disk: DiskSpace;
  /** Memory for answers that are being built or have not been read (LIMIT-27). */
  readonly answers: ByteBudget;
  readonly offeredActions: OfferedActions;
  readonly authenticator: Authenticator;
  readonly keys: KeyRing;
  /** Those of the same installation. */
  others: OtherNodes;
  /** Null when they are off. */
  readonly rateLimits: RateLimits | null;
  /** Set while the service stops: nothing new is taken. */
  isDraining: boolean;
  /** True where what need be done once for all nodes is done by this one. */
  isLead(): boolean;
  /** Statements that a database was asked to read with; 0 for a store of one's own. */
  readCount(): number;
  /** False while other nodes may be about to do in this one's place what cannot be taken back (CLUSTER-39). */
  isSure(): Awaitable<boolean>;
  /** False while the store does not answer: a balancer gives its calls to other nodes (OPS-1). */
  isReady(): Awaitable<boolean>;
  /**
   * Ends an open reply with the text that it has, or another one; resolves with the final Message, or undefined when
   * it had ended. Until its end is stored the open reply keeps its text.
   */
  closeStream(
    stream: LiveStream,
    end: EndOfReply & Partial<Pick<CloseStream, 'attachments' | 'text' | 'usage'>>,
  ): Promise<string | undefined>;
  /** Books what was used for an open reply that no end of it will tell (USAGE-5). */
  bookUsage(stream: LiveStream, isReply: boolean): void;
  /** Takes nothing new, gives turns up to `patienceMs`, ends the rest, closes the sockets (DRAIN-1). */
  drain(patienceMs: number): Promise<void>;
  /** Closes the store, once nobody needs it any more. */
  close(): Promise<void>;
}

/** The composition root: storage, log, hub, streams, turns. Transports are put in front of it by main.ts. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, settings: given, startStore = startStoreThread, wrapRead = (read) => read } = options;
  // Of one process alone it is the machine's.
  const clock = new AdjustedClock(options.clock);
  const logger = calmLogger(options.logger, options.clock);
  const settings: Settings = {
    ...defaultSettings,
    signUpOpen: config.signUp === 'open',
    directory: config.directory,
    pushes: config.vapid !== null || config.apns !== null,
    storedBytes: config.maxStoredBytes,
    ...given,
  };
  const ownUnits = unitCallers(internalUnits, (name, input, caller = theService) =>
    units.run(name, caller, input, clock.now()),
  );
  const hub = new Hub((text, accountKey) => service.files.urls.sign(text, accountKey));
  const engine = await openEngine({
    config,
    settings,
    clock,
    startStore,
    wrapRead,
    publish(event) {
      streams.snapshots.published(event);
      hub.publish(event);
    },
    skip(scope, seq) {
      streams.snapshots.skipped(scope);
      hub.skip(scope, seq);
    },
    heard: (event, node) => heardElsewhere(service, event, node),
    applyShared: (intent, node) => applyShared(service, intent, node),
    units: ownUnits,
    onFault: (error, what) => logger.error({ err: error }, what),
  });
  const { log, read, runner, shared } = engine;
  hub.attach(log);
  if (shared) clock.offsetMs = () => shared.clockOffsetMs;
  const units = new UnitQueue(runner, {
    log,
    ...(shared && { patience: { clock: systemClock, ms: PATIENCE_MS } }),
    apply(effect) {
      if (effect.type === 'event') log.publishLogged(effect);
      else if (log.takesIntent(effect)) applyIntent(service, effect);
    },
    onFault: (fault) => logger.error({ fault }, 'a unit of work failed'),
  });
  runner.onFailure = (error) => {
    // Without its store the process is of no use: whoever runs it starts a new one, which recovers.
    logger.fatal({ err: error }, shared ? 'this node ends' : 'the store thread failed');
    process.exit(1);
  };

  const streams = new LiveStreams({
    clock,
    checkpoints: new Checkpoints({
      clock,
      revisionBlock: settings.revisionBlock,
      write: (checkpoint) => ownUnits.checkpoint(checkpoint),
    }),
    publish: (event) => log.publishTransient(event),
    render: async (messageKey, open) => {
      const row = await read.get(messageByKey, messageKey);
      if (!row) throw new Error('an open stream has its message');
      return (await messageJson(read, row, { get: () => open })).text;
    },
    isShared: shared !== null,
    socketsOf: (agentKey) => [...service.sockets.openedAt(agentKey), ...service.others.openedAt(agentKey)],
    // Who listens on other nodes is not known here.
    listens: (chatKey, wanted) => shared !== null || hub.listens(chatKey, wanted),
  });
  const mirrors = new Mirrors((node) => service.others.askForStreams([node]));
  const texts: LiveTexts = {
    get(messageKey) {
      const stream = streams.get(messageKey);
      return stream ? streams.textOf(stream) : mirrors.get(messageKey)?.told;
    },
  };
  const keys = new KeyRing(config.secretKeys);
  const service: Service = {
    config,
    settings,
    clock,
    logger,
    read,
    log,
    upkeep: engine.upkeep,
    hub,
    units,
    streams,
    mirrors,
    replies: new OpenReplies(streams, mirrors),
    texts,
    keys,
    offeredActions: new OfferedActions(),
    answers: new ByteBudget(settings.answerBytes, settings.ownAnswerBytes),
    others: nobodyElse,
    rateLimits: config.rateLimits ? new RateLimits(config.rates, shared?.rateBuckets) : null,
    typing: new TypingIndicators({
      clock,
      publish: (event) => log.publishTransient(event),
      isLive: (accountKey) => service.sockets.isLive(accountKey) || service.others.findLive(accountKey),
    }),
    inlineQueries: new InlineQueries({
      clock,
      publish: (event) => log.publishTransient(event),
      ended: (id) => service.others.queryEnded(id),
    }),
    turns: new Turns({
      clock,
      read,
      streams,
      keys,
      providers: providersOf({ config, clock, logger, random: Math.random, isSure: () => service.isSure() }),
      turnsAtOnce: settings.turnsAtOnce,
      async claim({ key: turnKey, chat_key, human_key: humanKey }) {
        const chat = await read.get(chatByKey, chat_key);
        if (!chat) throw new Error('a turn has its conversation');
        return ownUnits.claimTurn({ turnKey, chatId: idText(chat.id), humanKey });
      },
      close: async (stream, end) => void (await service.closeStream(stream, end)),
      bookUsage: (stream) => service.bookUsage(stream, false),
      onFault: (error, turn) => logger.error({ err: error, turn: turn.key }, 'a turn failed'),
      onLaneFault: (error) => logger.error({ err: error }, 'waiting turns could not be read'),
    }),
    sockets: new Sockets({
      clock,
      hub,
      onLast: (accountKey) => void service.typing.socketGone(accountKey),
      openedElsewhere: (accountKey) => service.others.openedAt(accountKey),
      keepSession: (sessionKey) => service.authenticator.keepSession(sessionKey),
    }),
    push: new PushDelivery({
      config,
      clock,
      logger,
      read,
      random: Math.random,
      heardAt: (accountKey) => latest(service.sockets.heardAt(accountKey), service.others.heardAt(accountKey)),
      isElsewhere: (accountKey) => service.others.isLive(accountKey),
      isSure: () => service.isSure(),
      units: ownUnits,
    }),
    files: new Files({ config, settings, clock, logger, read, storage: engine.storage, units: ownUnits }),
    exports: new Exports(config.secretKeys, clock),
    disk: new DiskSpace(config, logger),
    search: engine.search,
    acquaintanceSearches: new OwnerLines(),
    authenticator: new Authenticator({
      read,
      clock,
      devTokens: config.devTokens,
      makeDevAccount: (username) => ownUnits.ensureDevAccount({ username }),
      touchSession: (sessionKey) => housekeeping.touch(sessionKey),
    }),
    isDraining: false,
    isLead: () => shared?.isLead ?? true,
    readCount: () => shared?.reads ?? 0,
    isSure: () => shared?.isSure() ?? true,
    isReady: () => engine.isReady(),
    async closeStream(stream, { status, text = stream.text, finishReason, alert, attachments, usage: given }) {
      if (stream.closing) return undefined;
      // A replaced text would go out whole: so does messageComplete.
      if (!stream.replaced) streams.show(stream);
      stream.closing = true;
      const usage = given ?? stream.usage;
      const input: CloseOpenStream = {
        messageKey: stream.info.messageKey,
        chatId: stream.info.chatId,
        agentKey: stream.info.agentKey,
        agentName: stream.info.agent.username,
        status,
        text,
        revision: stream.revision + 1,
        ...(finishReason !== undefined && { finishReason }),
        ...(alert !== undefined && { alert }),
        ...(attachments && { attachments }),
        ...(usage && { usage }),
        estimatedTokens: stream.estimatedTokens,
      };
      try {
        // The text of a reply is its deltas joined: the last of them comes before its end.
        const numbered = log.numbered();
        if (numbered) await numbered;
        const result = await units.run('closeStream', theService, input, clock.now());
        if (result !== 'null') return result;
        // It was deleted while its end was on the way.
        service.bookUsage(stream, true);
        return undefined;
      } catch (error) {
        // Not stored: the stream is as open as before, and whoever ends it may try again.
        stream.closing = false;
        throw error;
      }
    },
    bookUsage(stream, isReply) {
      const { usage, info } = stream;
      // A request that is made again has failed; the reply was deleted while the other one ran.
      const estimatedTokens = isReply ? stream.estimatedTokens : 0;
      if (!usage && estimatedTokens === 0) return;
      stream.usage = null;
      const { messageKey, agentKey, chatKey, turnKey } = info;
      const booking = { messageKey, agentKey, chatKey, turnKey };
      ownUnits
        .bookUsage({ ...booking, usage: usage ?? undefined, estimatedTokens, isReply })
        .catch((error: unknown) => logger.error({ err: error }, 'what a reply has used could not be booked'));
    },
    drain: (patienceMs) => drain(service, patienceMs, shared !== null),
    async close() {
      service.isDraining = true;
      housekeeping.stop();
      service.typing.close();
      service.inlineQueries.close();
      streams.close();
      service.others.close();
      await service.push.stop(0);
      await service.files.close();
      await units.close();
      await engine.close();
    },
  };
  const housekeeping = new Housekeeping(service, ownUnits);
  housekeeping.start();
  if (shared) service.others = await shared.join(service);
  await service.files.start();
  await service.disk.look();
  await ownUnits.ensureGuide();
  // Where there are other nodes, what one has left that is gone is gone on with as soon as it is found.
  if (!shared) await ownUnits.recoverTurns(null);
  service.sockets.onCame = ({ caller }) => service.others.came(caller.key);
  service.sockets.onGone = ({ caller, heardAt }, isClean) => {
    service.push.socketGone(caller.key, heardAt, isClean);
    service.push.askTakeBacks(caller.key);
    service.others.went(caller.key, heardAt, isClean);
  };
  // Where there are other nodes, the pushes that one has left are taken over with the rest.
  if (settings.pushes && !shared) await service.push.recover();
  return service;
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
