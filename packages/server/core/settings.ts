/** The limits and switches that operations and units use: plain data, the same in both threads. */
export interface Settings {
  /** Who can create an account with signUp (CONFIG-8). */
  signUp: 'open' | 'invite' | 'closed';
  /** Where people sign in by OpenID Connect (OIDC-9). */
  issuers: readonly { id: string; name: string }[];
  /** Who signs in with a password (OIDC-8). */
  passwords: 'everyone' | 'owners';
  /** Maximum size of an uploaded file (CONFIG-12). */
  fileBytes: number;
  /** The accounts that getUsers finds: all, or only those that share a conversation with the caller (ACCT-8). */
  directory: 'open' | 'shared';
  sessionLifetimeMs: number;
  sessionsPerAccount: number;
  /** Maximum device tokens per account. */
  devicesPerAccount: number;
  /** Maximum participants of a group. */
  groupMembers: number;
  /** Maximum separate chats of a human with one agent (NEWCHAT-4). */
  separateChats: number;
  /** Maximum hops of a chain of firings (DISPATCH-10). */
  maxHops: number;
  /** Maximum agents that one message fires. */
  firingsPerMessage: number;
  /** Maximum firings of the whole chain that a human's message starts. */
  firingsPerHumanMessage: number;
  /** Maximum firings per hour caused by unprompted messages of all bots of one owner. */
  unpromptedFiringsPerHour: number;
  /** Maximum turns of a turn queue that run at once. */
  turnsAtOnce: number;
  /** Maximum turns of all agents of one owner that run at once (TURN-18). */
  turnsOfOwner: number;
  /** How long a node waits for a batch of another node before it reads the batch from the store (CLUSTER-2). */
  missingMs: number;
  /** Maximum waiting turns of a turn queue. */
  turnsWaiting: number;
  /** How long a tool may take for one call (TOOL-16). */
  toolCallMs: number;
  /** How long a server of tools may take to connect and to list its tools (TOOL-8). */
  toolListMs: number;
  /** Maximum open replies of one bot. */
  streamsPerBot: number;
  /** Maximum age of a firing that is still answered after a restart. */
  firingMaxAgeMs: number;
  /** Revision numbers that a checkpoint reserves for an open reply. */
  revisionBlock: number;
  eventRetentionMs: number;
  eventRetentionCount: number;
  /** Newest events of each scope that are kept even if the log has too many events. */
  eventsKeptPerScope: number;
  /** Maximum simultaneous uploads: of one account, and of all accounts. */
  uploadsAtOnce: number;
  uploadsInAll: number;
  /** Maximum unfinished uploads of a person and their bots that may be continued. */
  openUploads: number;
  /** Maximum memory for answers that are being built or are not read yet: of all owners, and of one (LIMIT-27). */
  answerBytes: number;
  ownAnswerBytes: number;
  /** Maximum bytes of an account's uploads that no message holds; they are deleted after `unusedFileMs`. */
  unusedFileBytes: number;
  /** Maximum bytes that a person and their bots store in messages and files (LIMIT-22). */
  storedBytes: number;
  unusedFileMs: number;
  /** Whether links in messages get previews (CONFIG-26). */
  linkPreviews: boolean;
  /** Whether files are read for the search (CONFIG-29). */
  fileSearch: boolean;
  /** Whether agents may run code (CONFIG-32). */
  runsCode: boolean;
  /** Whether a push service is configured; without one no pushes are queued. */
  pushes: boolean;
}

export const defaultSettings: Settings = {
  signUp: 'open',
  issuers: [],
  passwords: 'everyone',
  fileBytes: 25 * 1024 ** 2,
  directory: 'open',
  sessionLifetimeMs: 180 * 86_400_000,
  sessionsPerAccount: 200,
  devicesPerAccount: 50,
  groupMembers: 1_000,
  separateChats: 1_000,
  maxHops: 8,
  firingsPerMessage: 32,
  firingsPerHumanMessage: 32,
  unpromptedFiringsPerHour: 32,
  turnsAtOnce: 4,
  turnsOfOwner: 32,
  missingMs: 100,
  turnsWaiting: 50,
  toolCallMs: 60_000,
  toolListMs: 10_000,
  streamsPerBot: 100,
  firingMaxAgeMs: 600_000,
  revisionBlock: 1_000,
  eventRetentionMs: 7 * 86_400_000,
  eventRetentionCount: 1_000_000,
  eventsKeptPerScope: 10_000,
  uploadsAtOnce: 4,
  uploadsInAll: 64,
  openUploads: 16,
  answerBytes: 128 * 1024 * 1024,
  ownAnswerBytes: 32 * 1024 * 1024,
  unusedFileBytes: 1024 ** 3,
  storedBytes: 10 * 1024 ** 3,
  unusedFileMs: 86_400_000,
  linkPreviews: true,
  fileSearch: true,
  runsCode: true,
  pushes: false,
};
