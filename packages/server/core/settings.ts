/** What the rules take from the configuration: plain data, the same in both threads. */
export interface Settings {
  signUpOpen: boolean;
  /** Whom getUsers finds by a query: everybody, or only people with whom the caller shares a conversation (ACCT-8). */
  directory: 'open' | 'shared';
  sessionLifetimeMs: number;
  sessionsPerAccount: number;
  /** Maximum number of device tokens of an account. */
  devicesPerAccount: number;
  groupMembers: number;
  maxHops: number;
  firingsPerMessage: number;
  firingsPerHumanMessage: number;
  /** Of all bots of one owner, by messages that nobody prompted. */
  unpromptedFiringsPerHour: number;
  turnsAtOnce: number;
  /** So long what other nodes tell may be under way before it is read from the store (CLUSTER-2). */
  missingMs: number;
  /** Firings that wait, of one agent for one human. */
  turnsWaiting: number;
  /** Open replies of one bot. */
  streamsPerBot: number;
  /** A firing older than this is not made up for after a crash. */
  firingMaxAgeMs: number;
  revisionBlock: number;
  eventRetentionMs: number;
  eventRetentionCount: number;
  /** Newest events of each scope that are kept however many events others make. */
  eventsKeptPerScope: number;
  /** Uploads under way at once: of one account, and in all. */
  uploadsAtOnce: number;
  uploadsInAll: number;
  /** Memory for answers that are being built or have not been read: of all owners, and of one (LIMIT-27). */
  answerBytes: number;
  ownAnswerBytes: number;
  /** What an account may have uploaded that no message holds, and how long that is kept. */
  unusedFileBytes: number;
  /** What a person and its bots may have stored. */
  storedBytes: number;
  unusedFileMs: number;
  /** Pushes can be sent: messages are queued for it. */
  pushes: boolean;
}

export const defaultSettings: Settings = {
  signUpOpen: true,
  directory: 'open',
  sessionLifetimeMs: 180 * 86_400_000,
  sessionsPerAccount: 200,
  devicesPerAccount: 50,
  groupMembers: 1_000,
  maxHops: 8,
  firingsPerMessage: 32,
  firingsPerHumanMessage: 32,
  unpromptedFiringsPerHour: 32,
  turnsAtOnce: 4,
  missingMs: 100,
  turnsWaiting: 50,
  streamsPerBot: 100,
  firingMaxAgeMs: 600_000,
  revisionBlock: 1_000,
  eventRetentionMs: 7 * 86_400_000,
  eventRetentionCount: 1_000_000,
  eventsKeptPerScope: 10_000,
  uploadsAtOnce: 4,
  uploadsInAll: 64,
  answerBytes: 128 * 1024 * 1024,
  ownAnswerBytes: 32 * 1024 * 1024,
  unusedFileBytes: 1024 ** 3,
  storedBytes: 10 * 1024 ** 3,
  unusedFileMs: 86_400_000,
  pushes: false,
};
