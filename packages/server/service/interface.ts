// What a running service is to its transports, the admin command and tests.
import type { Logger } from 'pino';
import type { ChatTitles } from '../agents/chat-titles.ts';
import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { ReplyReplicas } from '../replies/reply-replicas.ts';
import type { ReplyEnds } from '../replies/reply-ends.ts';
import type { Turns } from '../agents/turn-runner.ts';
import type { ReadReceipts } from '../conversations/read-receipts.ts';
import type { Transcripts } from '../agents/transcripts.ts';
import type { TypingIndicators } from '../agents/typing.ts';
import type { TypingEnds } from '../agents/typing-ends.ts';
import type { TypingJournal } from '../agents/typing-journal.ts';
import type { Authenticator } from '../calls/authenticate.ts';
import type { Forward } from '../calls/dispatch.ts';
import type { OtherNodes } from '../calls/other-nodes.ts';
import type { ArrivalLimits } from '../calls/arrival-limits.ts';
import type { TokenUses } from '../calls/token-uses.ts';
import type { RateLimits } from '../calls/rate-limits.ts';
import type { UnitQueue } from '../calls/unit-queue.ts';
import type { StartStore } from '../commits/engines/sqlite-thread.ts';
import type { ByteBudget } from '../core/byte-budget.ts';
import type { Clock } from '../core/clock.ts';
import type { DiskSpace } from '../core/disk-space.ts';
import type { Settings } from '../core/settings.ts';
import type { Exports } from '../exports/exports.ts';
import type { Files } from '../files/files.ts';
import type { EventLog } from '../log/event-log.ts';
import type { HeardCounts } from '../log/engines/cluster-log.ts';
import type { Hub } from '../log/hub.ts';
import type { LogUpkeep } from '../log/log-upkeep.ts';
import type { Rooms } from '../operations/rooms.ts';
import type { Library } from '../library/library.ts';
import type { LinkPreviews } from '../previews/link-previews.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { PresenceWatch } from '../sockets/presence-watch.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { Awaitable, Sql } from '../store/sql.ts';
import type { WebhookDeliveries } from '../webhooks/deliveries.ts';
import type { Config } from './config.ts';
import type { HeldCallbacks } from './held-callbacks.ts';

export interface ServiceOptions {
  config: Config;
  clock: Clock;
  logger: Logger;
  settings?: Partial<Settings>;
  /** Called once if the store fails, or if the other nodes give this one up; the caller must then close the service. */
  onStoreFailure: (error: Error) => void;
  /** Starts the runner of the units of work: by default a thread, in tests a runner that the test controls. */
  startStore?: StartStore;
  /** Wraps the main thread's reads; lets a test delay them. */
  wrapRead?: (read: Sql) => Sql;
}

/** This node's standing in the cluster; a single process is always sure and leads. */
export interface Standing {
  /**
   * False while other nodes may be about to take over this node's work: then it starts nothing irrevocable
   * (CLUSTER-39).
   */
  isSure: () => Awaitable<boolean>;
  /** True on the node that does the work that only one node needs to do. */
  isLead: () => boolean;
}

/** The parts that live as long as the process, for the transports, the admin command and tests. */
export interface Service {
  readonly config: Config;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly read: Sql;
  readonly accounts: AccountTexts;
  readonly log: EventLog;
  readonly upkeep: LogUpkeep;
  readonly hub: Hub;
  readonly units: UnitQueue;
  readonly streams: LiveStreams;
  readonly replicas: ReplyReplicas;
  readonly replyEnds: ReplyEnds;
  readonly typing: TypingIndicators;
  readonly typingEnds: TypingEnds;
  readonly typingJournal: TypingJournal;
  readonly receipts: ReadReceipts;
  readonly inlineQueries: InlineQueries;
  readonly turns: Turns;
  readonly transcripts: Transcripts;
  readonly titles: ChatTitles;
  readonly previews: LinkPreviews;
  readonly sockets: Sockets;
  readonly presence: PresenceWatch;
  readonly push: PushDelivery;
  readonly search: MessageSearch;
  readonly webhooks: WebhookDeliveries;
  readonly files: Files;
  readonly library: Library;
  readonly exports: Exports;
  readonly disk: DiskSpace;
  /** The callbacks that held a thread (OPS-7). */
  readonly held: HeldCallbacks;
  /** Memory for answers that are being built or have not been read (LIMIT-27). */
  readonly answers: ByteBudget;
  readonly authenticator: Authenticator;
  /** The parts that operations may use. */
  readonly rooms: Rooms;
  /** The other nodes of the installation. */
  readonly others: OtherNodes;
  /** Null in a single process. */
  readonly forward: Forward | null;
  /** Null if rate limits are off. */
  readonly rateLimits: RateLimits | null;
  /** Null if rate limits are off. */
  readonly arrivals: ArrivalLimits | null;
  readonly tokenUses: TokenUses;
  /** True while the service stops: new calls are refused. */
  readonly isDraining: boolean;
  readonly standing: Standing;
  /** Number of read statements sent to the database; 0 for the embedded store. */
  readCount(): number;
  /** Counts of the events that this node heard from others; zero for a single process. */
  heardCounts(): Readonly<HeardCounts>;
  /** False while the store does not answer: a balancer sends calls to other nodes (OPS-1). */
  isReady(): Awaitable<boolean>;
  /** Refuses new calls, gives turns up to `patienceMs`, ends the rest, closes the sockets (DRAIN-1). */
  drain(patienceMs: number): Promise<void>;
  /** Closes the store, after the transports. */
  close(): Promise<void>;
}
