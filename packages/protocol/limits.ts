/** Limits of the wire. Text lengths are UTF-8 bytes; see docs/spec/limits.md. */
export const limits = {
  humanTextBytes: 32 * 1024,
  agentTextBytes: 256 * 1024,
  bodyBytes: 1024 * 1024,
  /** Maximum body before the caller has authenticated: signUp, signIn and getServerInfo. */
  openBodyBytes: 16 * 1024,
  historyPage: 200,
  historyPageDefault: 50,
  updatesPage: 1_000,
  /** Maximum frames of getUpdates without `limit`, which answers in one response. */
  updatesAtOnce: 10_000,
  updatesAtOnceBytes: 8 * 1024 * 1024,
  searchPage: 50,
  searchPageDefault: 20,
  searchQueryBytes: 256,
  listPage: 200,
  listPageDefault: 50,
  pageBytes: 1024 * 1024,
  attachments: 10,
  /** Maximum JSON of one attachment. */
  attachmentBytes: 16 * 1024,
  /** Maximum `duration_ms`: a day. */
  soundMs: 86_400_000,
  waveformBytes: 64,
  /** Maximum transcript of a voice message. */
  transcriptBytes: 16 * 1024,
  /** Maximum reason of a report, and note of its resolution. */
  reportBytes: 2 * 1024,
  serviceNoticeBytes: 16 * 1024,
  messageIds: 100,
  usernames: 1_000,
  /** Maximum groups that new members are in from the start. */
  defaultChats: 20,
  /** Maximum groups of people, people in one, and people in all of them, each counted in every group: one reply lists all. */
  userGroups: 500,
  userGroupPeople: 1_000,
  userGroupPeopleInAll: 20_000,
  /** Where more people take part, only owner and admins mention `@all` and `@here` (MENTION-15). */
  mentionsAllPeople: 20,
  invites: 100,
  inviteUses: 100_000,
  inviteChats: 50,
  inviteSecondsLeast: 60,
  inviteSecondsMost: 365 * 86_400,
  /** Maximum access tokens of a person, conversations that one names, and seconds until it expires (ACCESS-1). */
  accessTokens: 100,
  accessTokenChats: 100,
  accessTokenSeconds: 31_536_000,
  /** Maximum webhooks of a group, and those that a person has made in all groups. */
  webhooks: 20,
  webhooksPerOwner: 100,
  webhookSubscriptions: 10,
  webhookUrlBytes: 2048,
  /** Maximum MCP servers of an agent, and tools that its owner lists of one. */
  toolServers: 10,
  notes: 100,
  noteBytes: 2048,
  /** Maximum files and pages in the library of an agent, and bytes of the title and the address of one. */
  sources: 200,
  sourceTitleBytes: 256,
  sourceUrlBytes: 2048,
  listedTools: 128,
  toolNameBytes: 256,
  pins: 500,
  /** Maximum conversations that an account pins to the top of its list. */
  pinnedChats: 50,
  folders: 50,
  /** Maximum conversations that the rule of one folder leaves out. */
  folderLeftOut: 100,
  /** Maximum conversations that all rules of an account leave out, counted per rule: each event carries all folders. */
  foldersLeftOut: 500,
  folderNameBytes: 64,
  chatsPerFolder: 1_000,
  channels: 500,
  /** Maximum accounts whose presence a socket shows. */
  presences: 100,
  statusCharacters: 100,
  decisionOptions: 8,
  decisionLabelCharacters: 80,
  decisionFields: 20,
  decisionDeciders: 50,
  decisionSecondsLeast: 10,
  decisionSecondsMost: 2_592_000,
  /** Maximum open decisions of a conversation that are counted and listed for a person; the newest. */
  openDecisions: 100,
  scheduled: 100,
  scheduledBytes: 2 * 1024 * 1024,
  reminders: 100,
  /** Maximum schedules of a person that have not ended, and ended ones that are kept; the newest. */
  schedules: 50,
  endedSchedules: 100,
  /** Maximum times that one call of previewSchedule returns, and those that a schedule names. */
  scheduleTimes: 100,
  upcomingTimes: 5,
  zoneBytes: 64,
  drafts: 500,
  /** Maximum items of an inbox; the newest ones stay. */
  inboxItems: 1_000,
  inboxPage: 50,
  inboxPageDefault: 50,
  draftsBytes: 2 * 1024 * 1024,
  botsPerOwner: 500,
  /** Maximum agents that a person has made with createAgent. */
  agentsPerOwner: 100,
  baseUrlBytes: 2048,
  /** Maximum messages, and UTF-16 code units, that a model is sent of a conversation. */
  contextMessages: 40,
  contextCharacters: 32_000,
  contextCharactersLeast: 500,
  /** Maximum files that a model is sent, and images among them. */
  contextFiles: 20,
  contextImages: 10,
  maxOutputTokens: 1_000_000,
  /** Maximum temperature of models of `provider_a` and of `provider_b`; above it every reply would fail. */
  temperatureA: 1,
  temperatureB: 2,
  groupMembers: 1_000,
  emojiBytes: 64,
  emojiPerMessage: 20,
  /** Maximum custom emoji of the instance. */
  customEmoji: 1_000,
  customEmojiPerPerson: 100,
  customEmojiBytes: 256 * 1024,
  /** Maximum width and height of a custom emoji's picture. */
  customEmojiPixels: 512,
  pollQuestionBytes: 1024,
  pollOptionBytes: 256,
  pollOptions: 12,
  pollSecondsLeast: 60,
  pollSecondsMost: 365 * 86_400,
  versionsPerReply: 32,
  shownReactors: 50,
  shownParticipants: 50,
  titleBytes: 256,
  descriptionBytes: 1024,
  nameBytes: 256,
  bioBytes: 1024,
  blocks: 1_000,
  /** How long a token of createUserToken is valid. */
  userTokenSecondsLeast: 60,
  userTokenSecondsDefault: 3_600,
  userTokenSecondsMost: 86_400,
  jwtBytes: 8 * 1024,
  /** Maximum groups that one call of createUserToken names. */
  userTokenChats: 20,
  passwordBytes: 1024,
  clientMsgIdBytes: 256,
  schemaFields: 50,
  botCommands: 50,
  commandArguments: 10,
  /** Maximum JSON of all commands of a bot. */
  commandsBytes: 16 * 1024,
  /** Maximum bots of a conversation whose commands getBotCommands returns. */
  botsWithCommands: 50,
  allowedModels: 50,
  structuredDepth: 32,
  structuredValues: 5_000,
  pushTokenBytes: 4096,
  alertTextBytes: 4096,
  inlineQueryBytes: 4096,
  inlineResults: 50,
  inlineResultBytes: 4096,
  actionBytes: 256,
  formBytes: 64 * 1024,
  settingBytes: 4 * 1024,
  settingTextBytes: 32 * 1024,
  settingsBytes: 256 * 1024,
  replyTokens: 1_000_000_000,
  partsPerMessage: 200,
  /** Maximum JSON of all parts of a message. */
  partsBytes: 256 * 1024,
  partIdBytes: 64,
  partUrlBytes: 4096,
  /** Maximum of a title, an excerpt, an error or a notice. */
  partLineBytes: 4096,
} as const;
