// What the guide and the pages at /help explain: one text for each page and main action of the app, in eight languages.

export const sections = ['start', 'chats', 'agents', 'keys', 'files', 'search', 'notifications', 'privacy'] as const;
export type HelpSection = (typeof sections)[number];

/** Each topic with its section, and the page of the app that does it, if there is one. Earlier ones win a tie. */
export const topics = {
  agent: { section: 'agents', page: '/settings/agents/new' },
  key: { section: 'keys', page: '/settings/agents' },
  cost: { section: 'keys', page: '/settings/agents' },
  stop: { section: 'agents', page: null },
  agentInGroup: { section: 'agents', page: null },
  actions: { section: 'agents', page: '/settings/calls' },
  bots: { section: 'agents', page: '/settings/bots' },
  invite: { section: 'chats', page: null },
  browse: { section: 'chats', page: '/browse' },
  group: { section: 'chats', page: '/new' },
  search: { section: 'search', page: null },
  later: { section: 'chats', page: null },
  messages: { section: 'chats', page: null },
  chat: { section: 'chats', page: '/new' },
  voice: { section: 'files', page: null },
  files: { section: 'files', page: null },
  mute: { section: 'notifications', page: null },
  notifications: { section: 'notifications', page: '/settings/notifications' },
  inbox: { section: 'notifications', page: '/inbox' },
  language: { section: 'start', page: '/settings/appearance' },
  dark: { section: 'start', page: '/settings/appearance' },
  password: { section: 'privacy', page: '/settings/profile' },
  deletion: { section: 'privacy', page: '/settings/profile' },
  profile: { section: 'start', page: '/settings/profile' },
  devices: { section: 'privacy', page: '/settings/sessions' },
  block: { section: 'privacy', page: '/settings/privacy' },
  receipts: { section: 'privacy', page: '/settings/privacy' },
  emoji: { section: 'start', page: '/settings/emoji' },
} as const satisfies Readonly<Record<string, { section: HelpSection; page: string | null }>>;

export type HelpTopic = keyof typeof topics;

/**
 * A text about a topic. `{Label}` in it stands for a button or page of the app, which has the name that the app gives it in
 * the reader's language.
 */
export interface HelpText {
  readonly title: string;
  readonly text: string;
  /** Beginnings of words by which a question about it is recognized; of Japanese and Chinese, parts of it. */
  readonly words: string;
}

export interface HelpTexts {
  readonly name: string;
  /** Answers a greeting. */
  readonly hello: string;
  /** Says that the guide does not know an answer. */
  readonly unknown: string;
  /** Stands before a passage of the documentation, which is in English. */
  readonly found: string;
  readonly open: string;
  readonly more: string;
  readonly sections: Readonly<Record<HelpSection, string>>;
  readonly topics: Readonly<Record<HelpTopic, HelpText>>;
}
