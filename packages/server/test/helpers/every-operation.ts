import { randomUUID } from 'node:crypto';
import { type AccountRole, type ErrorCode, type Operation, type OperationName, operations } from '@parley/protocol';
import type { Actor, World } from '@parley/testing';
import { failure } from '@parley/testing/world/failure.ts';
import { theService } from '../../calls/unit-queue.ts';
import { systemClock } from '../../core/clock.ts';

const people = ['owner', 'admin', 'member', 'keeper', 'removed', 'stranger'] as const;
/** Roles of callers. `keeper` is a member and owns `bot`, which is in the group; `otherBot` is the stranger's. */
export const roles = [...people, 'bot', 'otherBot'] as const;
export type Role = (typeof roles)[number];

/** A group with an account in each role, and the ids that a call can name. */
export interface Scene {
  actors: Record<Role, Actor>;
  chatId: string;
  messageId: string;
  channelId: string;
  streamId: string;
  /** A message of the bot with a button and a form. */
  componentId: string;
  /** A poll of the member, in which the member has voted. */
  pollId: string;
  /** A decision of the member, open to everybody in the group. */
  decisionId: string;
  inviteId: string;
  inviteToken: string;
  webhookId: string;
  /** A program that has registered itself. */
  programId: string;
  /** A session of another account. */
  sessionId: string;
}

/** `nothing` is a success that returns or changes nothing. */
export type Outcome = 'ok' | 'nothing' | ErrorCode;

interface Row {
  /** Parameters with which the call would succeed. */
  params: (scene: Scene) => Record<string, unknown>;
  /** Everyone not listed gets `others`. */
  allowed: readonly Role[];
  others?: Outcome;
  except?: Partial<Record<Role, Outcome>>;
  /** A success changes the scene, so that the next call needs a new one. */
  changes?: true;
  /** Whether a result contains anything; by default every result does. */
  shows?: (result: unknown) => boolean;
}

const humans: readonly Role[] = people;
const managers: readonly Role[] = ['owner', 'admin'];
const inside: readonly Role[] = ['owner', 'admin', 'member', 'keeper', 'bot'];
const nothing = () => ({});
const noServer = {
  allowed: [],
  others: 'forbidden',
  except: { owner: 'not_found', admin: 'not_found', member: 'not_found', keeper: 'not_found' },
} as const;
const notForAgents = { bot: 'forbidden', otherBot: 'forbidden' } as const;
const inAnHour = () => new Date(systemClock.now() + 3_600_000).toISOString();
/** No scene has a scheduled message. */
const scheduled = (scene: Scene) => ({ ...chat(scene), scheduled_id: scene.messageId });
/** No scene has a schedule. */
const schedule = ({ messageId: schedule_id }: Scene) => ({ schedule_id });
const noSchedule = { allowed: [], others: 'not_found', except: { bot: 'forbidden', otherBot: 'forbidden' } } as const;
const chat = ({ chatId: chat_id }: Scene) => ({ chat_id });
const message = ({ chatId: chat_id, messageId: message_id }: Scene) => ({ chat_id, message_id });
const messages = ({ messageId }: Scene) => ({ message_ids: [messageId] });
const stream = ({ streamId: message_id }: Scene) => ({ message_id });
const poll = ({ pollId: message_id }: Scene) => ({ message_id });
const theBot = ({ actors }: Scene) => ({ username: actors.bot.username });
const programRequest = ({ programId: client_id }: Scene) => ({
  client_id,
  redirect_uri: 'https://program.example/back',
  response_type: 'code',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
});
const groupAgent = ({ chatId: chat_id, actors }: Scene) => ({ chat_id, agent_username: actors.bot.username });

const someItems = (result: unknown): boolean => (result as { items: unknown[] }).items.length > 0; // as declared
const someIds = (result: unknown): boolean => (result as { ids: unknown[] }).ids.length > 0; // as above

/** Sets a person's role in the service as the operator does. */
export const setRole = (world: World, username: string, role: AccountRole): Promise<unknown> =>
  world.service.units.run('assignRole', theService, { username, role }, systemClock.now());

let newcomers = 0;

/** Whether a socket can carry the operation's calls: not those whose body is a file. */
export function overSockets(name: OperationName): boolean {
  const { upload }: Operation = operations[name];
  return upload !== true;
}

/** Each operation with valid parameters, and the outcome for each role. */
export const everyOperation: Record<OperationName, Row> = {
  signUp: {
    params: () => ({ username: `newcomer${(newcomers += 1)}`, password: 'long enough' }),
    allowed: roles,
  },
  // Needs the cookie of a browser.
  exchangeSignIn: { params: () => ({ code: 'oc_none' }), allowed: [], others: 'unauthenticated' },
  // signIn ignores the caller's token; this account does not exist.
  signIn: { params: () => ({ username: 'nobody', password: 'long enough' }), allowed: [], others: 'unauthenticated' },
  getServerInfo: { params: nothing, allowed: roles },
  // These take the key of a backend instead of a token; no backend has this one.
  createUserToken: {
    params: () => ({ backend_key: 'bk_none', external_id: '7', display_name: 'Ann' }),
    allowed: [],
    others: 'unauthenticated',
  },
  exchangeUserToken: { params: () => ({ jwt: 'a.b.c' }), allowed: [], others: 'unauthenticated' },
  deleteUser: {
    params: () => ({ backend_key: 'bk_none', external_id: '7' }),
    allowed: [],
    others: 'unauthenticated',
  },

  // The roles of the scene are those of its group.
  getAudit: { params: nothing, allowed: ['owner'] },
  reportMessage: { params: ({ messageId: message_id }) => ({ message_id }), allowed: inside },
  getReports: { params: nothing, allowed: ['owner'] },
  resolveReport: {
    params: ({ messageId: report_id }) => ({ report_id, action: 'none' }),
    allowed: [],
    others: 'forbidden',
    except: { owner: 'not_found' },
  },

  signOut: { params: nothing, allowed: [], others: 'invalid_argument' },
  // The scene's tokens belong to no session.
  getSecondFactor: { params: nothing, allowed: [] },
  startSecondFactor: { params: () => ({ password: 'long enough' }), allowed: [] },
  confirmSecondFactor: { params: () => ({ code: '000000' }), allowed: [] },
  createRecoveryCodes: { params: () => ({ code: '000000' }), allowed: [] },
  removeSecondFactor: { params: () => ({ password: 'long enough', code: '000000' }), allowed: [] },
  getProgramRequest: { params: programRequest, allowed: humans },
  grantProgram: { params: (scene) => ({ ...programRequest(scene), scopes: ['read'] }), allowed: humans },
  issueProgramTokens: {
    params: ({ programId: client_id }) => ({ grant_type: 'refresh_token', client_id, refresh_token: 'rt_none' }),
    allowed: [],
    others: 'invalid_argument',
  },
  createAccessToken: { params: () => ({ name: 'a script', scopes: ['read'] }), allowed: humans },
  getAccessTokens: { params: nothing, allowed: humans },
  revokeAccessToken: {
    params: ({ messageId: id }) => ({ id }),
    allowed: [],
    others: 'not_found',
    except: notForAgents,
  },
  getSessions: { params: nothing, allowed: [], others: 'nothing', shows: someItems },
  terminateSession: {
    params: ({ sessionId }) => ({ session_id: sessionId }),
    allowed: [],
    others: 'not_found',
  },
  terminateOtherSessions: { params: nothing, allowed: roles },
  getMe: { params: nothing, allowed: roles },
  getUser: { params: () => ({ username: 'owner' }), allowed: roles },
  getUsers: { params: () => ({ usernames: ['owner'] }), allowed: roles, shows: someItems },

  updateProfile: { params: () => ({ bio: `bio ${(newcomers += 1)}` }), allowed: roles },
  // The accounts of the scene have no password.
  changePassword: { params: () => ({ old_password: 'long enough', new_password: 'longer still' }), allowed: [] },
  deleteAccount: { params: () => ({ password: 'long enough' }), allowed: [] },
  blockUser: { params: () => ({ username: 'somebody' }), allowed: humans },
  unblockUser: { params: () => ({ username: 'somebody' }), allowed: humans },
  getBlockedUsers: { params: nothing, allowed: roles },
  getPrivacy: { params: nothing, allowed: humans },
  setPrivacy: { params: () => ({ read_receipts: true }), allowed: humans },
  setStatus: { params: () => ({ text: 'At lunch' }), allowed: humans },
  getPresence: { params: () => ({ usernames: ['member'] }), allowed: humans },
  exportMyData: { params: nothing, allowed: humans },

  // The scene's owner is also the owner of the service, all others are members.
  getAccounts: { params: nothing, allowed: ['owner'] },
  setAccountRole: { params: () => ({ username: 'somebody', role: 'member' }), allowed: ['owner'] },
  setAccountDisabled: { params: () => ({ username: 'somebody', disabled: false }), allowed: ['owner'] },
  endSessions: { params: () => ({ username: 'somebody' }), allowed: ['owner'] },
  resetSecondFactor: { params: () => ({ username: 'somebody' }), allowed: ['owner'] },
  resetPassword: { params: () => ({ username: 'somebody' }), allowed: ['owner'] },
  // No link has this token.
  setPasswordByLink: {
    params: () => ({ token: 'p_none', password: 'long enough' }),
    allowed: [],
    others: 'not_found',
  },
  approveAccount: { params: () => ({ username: 'somebody', approved: true }), allowed: ['owner'] },
  getServiceOverview: { params: nothing, allowed: ['owner'] },
  getServiceSettings: { params: nothing, allowed: roles },
  setServiceSettings: { params: () => ({ who_invites: 'members' }), allowed: ['owner'] },
  createServiceInvite: { params: nothing, allowed: humans },
  getServiceInvites: { params: nothing, allowed: roles },
  // No invite has the id of a message.
  revokeServiceInvite: {
    params: ({ messageId }) => ({ invite_id: messageId }),
    allowed: [],
    others: 'not_found',
  },

  // The group's bot: allowed for accounts that share a conversation with it.
  startChat: {
    params: ({ actors }) => ({ username: actors.bot.username }),
    allowed: inside,
  },
  getChats: {
    params: nothing,
    allowed: roles,
  },
  // The title of the scene's group.
  searchChats: { params: () => ({ query: 'GROUP' }), allowed: inside, others: 'nothing', shows: someItems },
  getChat: { params: chat, allowed: inside },
  setChatNotifications: { params: (scene) => ({ ...chat(scene), is_muted: true }), allowed: inside },
  setChatState: { params: (scene) => ({ ...chat(scene), is_pinned: true }), allowed: inside },
  orderPinnedChats: { params: ({ chatId }) => ({ chat_ids: [chatId] }), allowed: roles },
  getFolders: { params: nothing, allowed: roles },
  setFolders: { params: () => ({ folders: [{ name: 'Work' }] }), allowed: roles },
  clearChat: { params: chat, allowed: inside, changes: true },
  addMembers: { params: (scene) => ({ ...chat(scene), usernames: ['member'] }), allowed: managers },
  removeMember: { params: (scene) => ({ ...chat(scene), username: 'member' }), allowed: managers, changes: true },
  leaveChat: { params: chat, allowed: inside, except: { owner: 'conflict' }, changes: true },
  // The conversation of the scene is a group.
  deleteChat: { params: chat, allowed: [] },
  setMemberRole: { params: (scene) => ({ ...chat(scene), username: 'member', role: 'member' }), allowed: managers },
  setChatTitle: { params: (scene) => ({ ...chat(scene), title: 'renamed' }), allowed: managers },
  // The caller has uploaded nothing that is to be the picture; null removes none.
  setChatAvatar: { params: (scene) => ({ ...chat(scene), avatar_file_id: null }), allowed: managers },
  setChatDescription: { params: (scene) => ({ ...chat(scene), description: 'about' }), allowed: managers },
  getMembers: { params: chat, allowed: inside },
  createInvite: { params: chat, allowed: managers },
  getInvite: { params: ({ inviteToken: token }) => ({ token }), allowed: roles },
  getInvites: { params: chat, allowed: managers, shows: someItems },
  // Accounts that do not manage the group get 404.
  revokeInvite: {
    params: ({ inviteId: invite_id }) => ({ invite_id }),
    allowed: managers,
    others: 'not_found',
    changes: true,
  },
  setChatVisibility: { params: (scene) => ({ ...chat(scene), visibility: 'public' }), allowed: managers },
  setChatPosting: { params: (scene) => ({ ...chat(scene), posting: 'managers' }), allowed: managers, changes: true },
  browseChats: { params: nothing, allowed: humans },
  setDefaultChats: { params: () => ({ chat_ids: [] }), allowed: ['owner'] },
  createUserGroup: {
    params: () => ({ name: `people_${(newcomers += 1)}`, title: 'People', usernames: [] }),
    allowed: ['owner'],
  },
  updateUserGroup: {
    params: () => ({ name: 'people', title: 'People' }),
    allowed: [],
    others: 'forbidden',
    except: { owner: 'not_found' },
  },
  deleteUserGroup: {
    params: () => ({ name: 'people' }),
    allowed: [],
    others: 'forbidden',
    except: { owner: 'not_found' },
  },
  getUserGroups: { params: nothing, allowed: roles },
  joinChat: { params: ({ inviteToken: token }) => ({ token }), allowed: humans, changes: true },
  createWebhook: { params: chat, allowed: managers },
  getWebhooks: { params: chat, allowed: managers, shows: someItems },
  // Accounts that do not manage the group get 404.
  deleteWebhook: {
    params: ({ webhookId: webhook_id }) => ({ webhook_id }),
    allowed: managers,
    others: 'not_found',
    changes: true,
  },
  createWebhookSubscription: {
    params: (scene) => ({ ...chat(scene), url: 'https://hooks.example/', events: ['messageNew'] }),
    allowed: inside,
    changes: true,
  },
  getWebhookSubscriptions: { params: nothing, allowed: roles },
  // No role has a subscription.
  deleteWebhookSubscription: {
    params: ({ messageId }) => ({ subscription_id: messageId }),
    allowed: [],
    others: 'not_found',
  },
  replayWebhook: {
    params: ({ messageId }) => ({ subscription_id: messageId, from_seq: 0 }),
    allowed: [],
    others: 'not_found',
  },
  createChannel: { params: (scene) => ({ ...chat(scene), title: 'new' }), allowed: managers },
  deleteChannel: {
    params: (scene) => ({ ...chat(scene), channel_id: scene.channelId }),
    allowed: managers,
    changes: true,
  },
  getReadPosition: { params: chat, allowed: inside },
  getMessageReaders: { params: ({ messageId }) => ({ message_id: messageId }), allowed: ['member'] },
  getUnreadMentions: { params: chat, allowed: inside },
  markRead: { params: message, allowed: inside },

  sendMessage: { params: (scene) => ({ ...chat(scene), text: 'hello' }), allowed: inside },
  getChatHistory: { params: chat, allowed: inside },
  getChatMedia: { params: (scene) => ({ ...chat(scene), kind: 'links' }), allowed: inside },
  editMessage: {
    params: ({ messageId: message_id }) => ({ message_id, text: 'another text' }),
    allowed: ['member'],
    changes: true,
  },
  removeLinkPreview: {
    params: ({ messageId: message_id }) => ({ message_id }),
    allowed: ['member'],
    changes: true,
  },
  // It is no voice message.
  transcribeMessage: {
    params: ({ messageId: message_id }) => ({ message_id }),
    allowed: [],
    except: {
      owner: 'invalid_argument',
      admin: 'invalid_argument',
      member: 'invalid_argument',
      keeper: 'invalid_argument',
    },
  },
  forwardMessages: { params: (scene) => ({ ...messages(scene), to_chat_id: scene.chatId }), allowed: inside },
  getMessages: { params: messages, allowed: inside, others: 'nothing', shows: someItems },
  searchMessages: { params: (scene) => ({ ...chat(scene), query: 'message' }), allowed: inside },
  deleteMessages: {
    params: messages,
    allowed: ['owner', 'admin', 'member'],
    others: 'nothing',
    changes: true,
    shows: someIds,
  },
  deleteMessagesForMe: { params: messages, allowed: inside, others: 'nothing', changes: true, shows: someIds },
  pinMessage: { params: message, allowed: managers },
  unpinMessage: { params: chat, allowed: managers },
  setMessageReaction: {
    params: ({ messageId: message_id }) => ({ message_id, emoji: '👍' }),
    allowed: inside,
  },
  votePoll: {
    params: (scene) => ({ ...poll(scene), options: [1] }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  closePoll: { params: poll, allowed: ['owner', 'admin', 'member'], changes: true },
  getPollVotes: {
    params: ({ pollId }) => ({ message_ids: [pollId] }),
    allowed: ['member'],
    others: 'nothing',
    shows: someItems,
  },
  getPollVoters: { params: (scene) => ({ ...poll(scene), option: 0 }), allowed: inside },
  askDecision: {
    params: (scene) => ({ ...chat(scene), text: 'Deploy?', options: [{ id: 'yes', label: 'Yes' }] }),
    allowed: inside,
  },
  // The scene's decision is the member's, and open to anyone.
  decide: {
    params: ({ decisionId: decision_id }) => ({ decision_id, option: 'yes' }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
    others: 'not_found',
    except: { bot: 'forbidden', otherBot: 'forbidden' },
    changes: true,
  },
  withdrawDecision: {
    params: ({ decisionId: decision_id }) => ({ decision_id }),
    allowed: ['owner', 'admin', 'member'],
    others: 'not_found',
    except: { keeper: 'forbidden', bot: 'forbidden' },
    changes: true,
  },
  getDecisions: {
    params: nothing,
    allowed: ['owner', 'admin', 'member', 'keeper'],
    others: 'nothing',
    shows: someItems,
  },
  sendChatAction: { params: (scene) => ({ ...chat(scene), action: 'typing' }), allowed: inside },
  saveDraft: { params: (scene) => ({ ...chat(scene), text: 'unsent' }), allowed: inside },
  getDrafts: { params: nothing, allowed: roles },

  getInbox: { params: nothing, allowed: humans },
  setInboxDone: { params: ({ messageId }) => ({ message_ids: [messageId] }), allowed: humans },

  scheduleMessage: {
    params: (scene) => ({ ...chat(scene), text: 'later', send_at: inAnHour() }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  getScheduledMessages: { params: nothing, allowed: roles },
  editScheduledMessage: { params: scheduled, allowed: [], others: 'not_found' },
  cancelScheduledMessage: { params: scheduled, allowed: [], others: 'not_found' },
  sendScheduledMessage: { params: scheduled, allowed: [], others: 'not_found' },
  createSchedule: {
    params: (scene) => ({ ...chat(scene), text: 'again', when: { every: 'day', zone: 'UTC' } }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  previewSchedule: { params: () => ({ when: { every: 'day', zone: 'UTC' } }), allowed: humans },
  getSchedules: { params: nothing, allowed: humans },
  pauseSchedule: { params: (scene) => ({ ...schedule(scene), paused: true }), ...noSchedule },
  runSchedule: { params: schedule, ...noSchedule },
  deleteSchedule: { params: schedule, ...noSchedule },
  remindMe: {
    params: ({ messageId: message_id }) => ({ message_id, remind_at: inAnHour() }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
    others: 'not_found',
    except: { bot: 'forbidden' },
  },
  getReminders: { params: nothing, allowed: roles },
  cancelReminder: { params: ({ messageId }) => ({ reminder_id: messageId }), allowed: [], others: 'not_found' },

  // Nobody has made this emoji or uploaded this file.
  getEmoji: { params: nothing, allowed: roles },
  createEmoji: {
    params: () => ({ name: 'party', file_id: randomUUID() }),
    allowed: [],
    others: 'not_found',
    except: { bot: 'forbidden', otherBot: 'forbidden' },
  },
  deleteEmoji: { params: () => ({ name: 'party' }), allowed: [], others: 'not_found' },
  uploadFile: { params: () => ({ file: new File(['hello'], 'hello.txt') }), allowed: roles },

  getMyAgents: { params: nothing, allowed: humans, others: 'nothing', shows: someItems },
  setAgentKey: { params: () => ({ provider: 'provider_a', api_key: 'sk-of-a-test' }), allowed: humans },
  removeAgentKey: { params: () => ({ provider: 'provider_a' }), allowed: humans },
  getGroupAgents: { params: chat, allowed: inside },
  addGroupAgent: { params: groupAgent, allowed: ['keeper'] },
  setGroupAgentMode: { params: (scene) => ({ ...groupAgent(scene), always_on: true }), allowed: ['keeper'] },
  dismissAgent: {
    params: (scene) => ({ ...groupAgent(scene), thread_root_id: scene.messageId }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  previewDispatch: {
    params: (scene) => ({ ...chat(scene), text: `@${scene.actors.bot.username}` }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  removeGroupAgent: { params: groupAgent, allowed: ['keeper'], changes: true },
  stopRun: { params: chat, allowed: inside },
  // The reply is a bot's, which only the bot can write: roles that may retry and continue replies get a conflict.
  retryReply: {
    params: stream,
    allowed: [],
    except: { owner: 'conflict', admin: 'conflict', member: 'conflict', keeper: 'conflict', bot: 'conflict' },
  },
  // No person has asked for it: the bot has written it unprompted.
  chooseVersion: {
    params: stream,
    allowed: [],
    except: {
      owner: 'invalid_argument',
      admin: 'invalid_argument',
      member: 'invalid_argument',
      keeper: 'invalid_argument',
      bot: 'invalid_argument',
    },
  },
  continueReply: {
    params: stream,
    allowed: [],
    except: { owner: 'conflict', admin: 'conflict', member: 'conflict', keeper: 'conflict', bot: 'conflict' },
  },
  createBot: { params: () => ({ slug: `b${(newcomers += 1)}`, display_name: 'B' }), allowed: humans },
  createAgent: {
    params: () => ({ slug: `a${(newcomers += 1)}`, display_name: 'A', provider: 'provider_b' }),
    allowed: humans,
  },
  getAgent: { params: theBot, allowed: inside },
  getToolServers: { params: theBot, allowed: inside },
  setAgentTools: {
    params: ({ actors }) => ({ username: `${actors.keeper.username}:provider_a`, servers: [] }),
    allowed: ['keeper'],
    others: 'not_found',
  },
  // The bot has no servers.
  // The message has no calls of tools.
  shareToolCall: {
    params: ({ messageId: message_id }) => ({ message_id, part_id: '1' }),
    allowed: [],
    others: 'forbidden',
    except: {
      owner: 'invalid_argument',
      admin: 'invalid_argument',
      member: 'invalid_argument',
      keeper: 'invalid_argument',
      bot: 'invalid_argument',
    },
  },
  setToolCredential: { params: (scene) => ({ ...theBot(scene), server: 'notes', token: 'a-token' }), ...noServer },
  startToolLogin: { params: (scene) => ({ ...theBot(scene), server: 'notes' }), ...noServer },
  removeToolCredential: { params: (scene) => ({ ...theBot(scene), server: 'notes' }), ...noServer },
  // Nobody has asked an agent with tools.
  getToolCalls: { params: nothing, allowed: [], others: 'nothing', except: notForAgents, shows: someItems },
  getToolGrants: { params: nothing, allowed: [], others: 'nothing', except: notForAgents, shows: someItems },
  revokeToolGrant: {
    params: () => ({ grant_id: randomUUID() }),
    allowed: [],
    others: 'not_found',
    except: notForAgents,
  },
  // The bot has no tools of the service's own, and remembers nothing.
  getNotes: {
    params: (scene) => groupAgent(scene),
    allowed: [],
    others: 'nothing',
    except: { ...notForAgents, removed: 'forbidden', stranger: 'forbidden' },
    shows: someItems,
  },
  createNote: {
    params: (scene) => ({ ...groupAgent(scene), text: 'likes tea' }),
    allowed: [],
    others: 'forbidden',
  },
  updateNote: {
    params: () => ({ note_id: randomUUID(), text: 'likes tea' }),
    allowed: [],
    others: 'not_found',
    except: notForAgents,
  },
  deleteNote: {
    params: () => ({ note_id: randomUUID() }),
    allowed: [],
    others: 'not_found',
    except: notForAgents,
  },
  getAgentSources: {
    params: () => ({ username: 'keeper:provider_a' }),
    allowed: ['keeper'],
    others: 'forbidden',
  },
  addAgentSource: {
    params: () => ({ username: 'keeper:provider_a', url: `https://example.com/${randomUUID()}` }),
    allowed: ['keeper'],
    others: 'not_found',
    except: notForAgents,
  },
  setAgentSource: { params: () => ({ source_id: randomUUID(), open: true }), ...noSchedule },
  readAgentSource: { params: () => ({ source_id: randomUUID() }), ...noSchedule },
  removeAgentSource: { params: () => ({ source_id: randomUUID() }), ...noSchedule },
  // Nobody has a key for the provider; an agent has no agents.
  getModels: { params: () => ({ provider: 'provider_a' }), allowed: [] },
  // No other account shares a conversation with this agent.
  updateAgent: {
    params: () => ({ username: 'keeper:provider_a', temperature: 1 }),
    allowed: ['keeper'],
    others: 'not_found',
  },
  deleteAgent: {
    params: theBot,
    allowed: ['keeper'],
    except: { removed: 'not_found', stranger: 'not_found', otherBot: 'not_found' },
    changes: true,
  },
  // Accounts that cannot see the bot get 404.
  rotateBotToken: {
    params: theBot,
    allowed: ['keeper'],
    except: { removed: 'not_found', stranger: 'not_found', otherBot: 'not_found' },
    changes: true,
  },
  deleteBot: {
    params: theBot,
    allowed: ['keeper'],
    except: { removed: 'not_found', stranger: 'not_found', otherBot: 'not_found' },
    changes: true,
  },
  setBotCommands: {
    params: () => ({ commands: [{ command: 'weather', description: 'The weather' }] }),
    allowed: ['bot', 'otherBot'],
  },
  getBotCommands: { params: chat, allowed: inside },
  getOpenStreams: { params: nothing, allowed: ['bot', 'otherBot'] },
  startMessageStream: { params: chat, allowed: ['bot'] },
  appendMessageStream: { params: (scene) => ({ ...stream(scene), delta: 'x', offset: 1 }), allowed: ['bot'] },
  finishMessageStream: { params: stream, allowed: ['bot'], changes: true },
  getUpdates: { params: () => ({ since: 0 }), allowed: roles },
  // An unknown socket gets the same answer as another account's.
  wsFocus: { params: () => ({ socket: randomUUID(), focus: null }), allowed: [], others: 'not_found' },

  pushAlert: { params: () => ({ to_username: 'keeper', text: 'look' }), allowed: inside },
  queryInline: { params: (scene) => ({ ...chat(scene), bot_username: scene.actors.bot.username }), allowed: inside },
  answerInlineQuery: {
    params: () => ({ query_id: randomUUID(), results: [] }),
    allowed: [],
    except: { bot: 'not_found', otherBot: 'not_found' },
  },
  sendComponentAction: {
    params: (scene) => ({ ...chat(scene), message_id: scene.componentId, action: 'cancel:it' }),
    allowed: inside,
  },
  getMyBotConfig: { params: theBot, allowed: inside },
  setMyBotConfig: {
    params: (scene) => ({ ...theBot(scene), config: {} }),
    allowed: ['owner', 'admin', 'member', 'keeper'],
  },
  setBotConfig: {
    params: (scene) => ({ ...theBot(scene), config: {} }),
    allowed: ['keeper'],
    except: { removed: 'not_found', stranger: 'not_found', otherBot: 'not_found' },
  },
  getRunConfig: {
    params: ({ messageId: message_id }) => ({ message_id }),
    allowed: [],
    except: { bot: 'not_found', otherBot: 'not_found' },
  },
  // No role has paid for a reply.
  getReplyPrices: {
    params: ({ messageId }) => ({ message_ids: [messageId] }),
    allowed: [],
    others: 'nothing',
    shows: someItems,
  },
  // Callers see only the usage of their own agents, which have not been used.
  getUsage: { params: nothing, allowed: [], others: 'nothing', shows: someItems },
  getNotificationPrefs: { params: nothing, allowed: roles },
  setNotificationPrefs: { params: () => everythingOn, allowed: roles },
  setDeviceNotificationPrefs: {
    params: () => ({ enabled: true, in_app: { sounds: true, vibrate: true, preview: true } }),
    allowed: [],
    others: 'invalid_argument',
  },
  registerPushToken: { params: () => ({ token: 'a1b2c3', platform: 'ios' }), allowed: roles },
  unregisterPushToken: { params: () => ({ token: 'a1b2c3' }), allowed: roles },
};

const category = { enabled: true, preview: true, sound: true };
const everythingOn = {
  private_chats: category,
  group_chats: category,
  message_preview: true,
  badge: { enabled: true, include_groups: true, count_messages: true },
};

export const outcomeFor = ({ allowed, others = 'forbidden', except = {} }: Row, role: Role): Outcome =>
  except[role] ?? (allowed.includes(role) ? 'ok' : others);

/** Returns a function that makes scenes, which share their people and nothing else. */
export async function directScenes(world: World): Promise<() => Promise<Scene>> {
  const cast = await world.people(...people);
  // Any of them may have been the first account.
  for (const { username } of [cast.owner, ...Object.values(cast)])
    await setRole(world, username, username === cast.owner.username ? 'owner' : 'member');
  const otherBot = await world.bot(cast.stranger, 'other');
  const session = await world.member('somebody');
  const [theirs] = (await session.api.getSessions()).items;
  let scenes = 0;
  let former: string | undefined;
  const webhooks: string[] = [];
  return async () => {
    const { owner, admin, member, keeper, removed, stranger } = cast;
    // These two may have joined the previous scene's group, but must share no conversation with the others.
    for (const { api } of [removed, stranger]) if (former) await failure(api.leaveChat({ chat_id: former }));
    const { id: chatId } = await world.group(owner, admin, member, keeper, removed);
    former = chatId;
    await owner.api.setMemberRole({ chat_id: chatId, username: admin.username, role: 'admin' });
    await owner.api.removeMember({ chat_id: chatId, username: removed.username });
    const bot = await world.bot(keeper, `bot${(scenes += 1)}`);
    await keeper.api.addGroupAgent({ chat_id: chatId, agent_username: bot.username });
    const { id: messageId } = await member.api.sendMessage({ chat_id: chatId, text: 'a message' });
    const text = '{% button action="cancel:it" /%} {% form id="it" %}{% /form %}';
    const { id: componentId } = await bot.api.sendMessage({ chat_id: chatId, text });
    const question = { question: 'tea?', options: ['yes', 'no'] };
    const { id: pollId } = await member.api.sendMessage({ chat_id: chatId, text: '', poll: question });
    await member.api.votePoll({ message_id: pollId, options: [0] });
    const { id: decisionId } = await member.api.askDecision({
      chat_id: chatId,
      text: 'Deploy?',
      options: [{ id: 'yes', label: 'Yes' }],
    });
    const { id: channelId } = await owner.api.createChannel({ chat_id: chatId, title: 'a channel' });
    const { id: streamId } = await bot.api.startMessageStream({ chat_id: chatId });
    const invite = await owner.api.createInvite({ chat_id: chatId });
    const invited = { inviteId: invite.id, inviteToken: invite.token };
    // A person has at most 100 webhooks, fewer than there are scenes. Tests use two scenes at once, and may have deleted
    // the webhook of one.
    const oldWebhook = webhooks.length > 2 ? webhooks.shift() : undefined;
    if (oldWebhook !== undefined) await failure(owner.api.deleteWebhook({ webhook_id: oldWebhook }));
    const { id: webhookId } = await owner.api.createWebhook({ chat_id: chatId });
    webhooks.push(webhookId);
    const actors = { ...cast, bot, otherBot };
    const registered = await fetch(`${world.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'A program', redirect_uris: ['https://program.example/back'] }),
    });
    const { client_id: programId } = (await registered.json()) as { client_id: string }; // of a registration
    return {
      actors,
      chatId,
      messageId,
      componentId,
      pollId,
      decisionId,
      channelId,
      streamId,
      ...invited,
      programId,
      webhookId,
      sessionId: theirs?.id ?? '',
    };
  };
}
