import type { Provider } from '@parley/protocol';
import type { InlineQueries } from '../agents/inline-queries.ts';
import type { LiveStreams } from '../replies/live-streams.ts';
import type { OfferedActions } from '../agents/offered-actions.ts';
import type { OpenReplies } from '../replies/open-replies.ts';
import type { ReplyEnd } from '../replies/end-of-reply.ts';
import type { LiveStream } from '../replies/live-stream.ts';
import type { ModelLists } from '../agents/providers/model-lists.ts';
import type { CallContents } from '../agents/tool-turns/call-contents.ts';
import type { Transcripts } from '../agents/transcripts.ts';
import type { TypingIndicators } from '../agents/typing.ts';
import type { TypingEnds } from '../agents/typing-ends.ts';
import type { ByteBudget } from '../core/byte-budget.ts';
import type { Clock } from '../core/clock.ts';
import type { OwnerQueues } from '../core/owner-queues.ts';
import type { Exports } from '../exports/exports.ts';
import type { Files } from '../files/files.ts';
import type { EventFilter } from '../log/caps.ts';
import type { EventLog } from '../log/event-log.ts';
import type { Hub } from '../log/hub.ts';
import type { GuardedFetch } from '../outbound/guarded-fetch.ts';
import type { PublishedKeys } from '../people/published-keys.ts';
import type { PasswordTries } from '../people/password-tries.ts';
import type { PushDelivery } from '../push/delivery.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { OidcSignIns } from '../people/oidc/oidc-sign-ins.ts';
import type { Programs } from '../people/programs/programs.ts';
import type { KeyRing } from '../secrets/seal.ts';
import type { PresenceWatch } from '../sockets/presence-watch.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { ToolLogins } from '../tools/login/tool-logins.ts';
import type { ToolServers } from '../tools/tool-servers.ts';
import type { TextReader } from '../readers/text-reader.ts';
import type { AccountTexts } from '../rendering/account-texts.ts';
import type { LiveTexts } from '../rendering/messages.ts';
import type { Awaitable, Sql } from '../store/sql.ts';

/** The other nodes, as operations use them. */
export interface Peers {
  /** How many nodes of the installation are alive, this one included. */
  countNodes(): number;
  /** Whether an account has a live socket on another node; asks the nodes if none is known. */
  findLive(accountKey: number): Awaitable<boolean>;
  /** The filters of the caller's sockets on other nodes; null if a node does not answer (LOG-18). */
  subscriptionsOf(accountKey: number, sessionKey: number | null): Awaitable<readonly EventFilter[] | null>;
}

/** The rooms of the main thread that operations use. A handler names those it needs: `Needs<'texts' | 'search'>`. */
export interface Rooms {
  readonly read: Sql;
  /** Waits until everything that was read so far is on the disk; `dispatch` does so before an answer (STORE-13). */
  flushed(): Awaitable<void>;
  /** The cache of rendered accounts for data that is read through `read`. */
  readonly accounts: AccountTexts;
  readonly clock: Clock;
  readonly logger: { error(facts: object, message: string): void };
  readonly config: {
    readonly publicUrl: URL | null;
    readonly providers: Readonly<Record<Provider, { readonly model: string; readonly baseUrl: string }>>;
  };
  readonly log: EventLog;
  readonly hub: Hub;
  readonly texts: LiveTexts;
  readonly streams: LiveStreams;
  readonly replies: OpenReplies;
  readonly closeStream: (stream: LiveStream, end: ReplyEnd) => Promise<string | undefined>;
  /** What calls of tools were asked and have answered, for their askers. */
  readonly callContents: CallContents;
  readonly typing: TypingIndicators;
  readonly typingEnds: TypingEnds;
  readonly inlineQueries: InlineQueries;
  readonly offeredActions: OfferedActions;
  readonly textReader: Pick<TextReader, 'read' | 'textOfPost'>;
  readonly sockets: Sockets;
  readonly peers: Peers;
  readonly presence: Pick<PresenceWatch, 'ask' | 'onlineIn'>;
  readonly push: Pick<PushDelivery, 'guard' | 'vapidKey'>;
  /** Reaches the servers that people name for their agents. */
  readonly modelLists: Pick<ModelLists, 'list'>;
  readonly transcripts: Pick<Transcripts, 'make'>;
  readonly modelServers: Pick<GuardedFetch, 'check'>;
  /** The MCP servers of agents, and the addresses that they may have. */
  readonly toolServers: ToolServers;
  readonly toolLogins: ToolLogins;
  readonly toolAddresses: Pick<GuardedFetch, 'check'>;
  /** Reaches the addresses of webhook subscriptions. */
  readonly webhookReceivers: Pick<GuardedFetch, 'check'>;
  /** The key sets of backends that publish them. */
  readonly publishedKeys: Pick<PublishedKeys, 'isOld' | 'renew' | 'retryAfterMs'>;
  readonly oidc: OidcSignIns;
  /** Programs that ask people for access tokens. */
  readonly programs: Programs;
  readonly files: Files;
  readonly exports: Exports;
  readonly search: MessageSearch;
  /** Runs one search of each owner at a time (ACCT-11). */
  readonly nameSearches: OwnerQueues;
  /** Memory budget for answers that are being built or are not read yet (LIMIT-27). */
  readonly answers: ByteBudget;
  readonly keys: KeyRing;
  /** Null if rate limits are off. */
  readonly passwordTries: PasswordTries | null;
}

export type Needs<Names extends keyof Rooms> = Pick<Rooms, Names>;
