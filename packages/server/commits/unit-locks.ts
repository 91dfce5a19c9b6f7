import type { Input, OperationName } from '@parley/protocol';
import type { Caller } from '../store/call.ts';
import type { InternalUnits } from '../units/index.ts';
import type { UnitRequest } from './unit-runner.ts';
import { account, callOrder, chat, chatAsItIs, household, type Lock, named } from './lock-names.ts';

/** The conversation of a message, and perhaps its sender's household, which have to be looked up. */
export interface ChatOfMessage {
  readonly messageId: string;
  readonly isShared: boolean;
  /** Also the sender's household, whose stored bytes change. */
  readonly withSender?: true;
}
export type Need = Lock | ChatOfMessage;

interface Given<Given> {
  caller: Caller;
  input: Given;
  prepared: unknown;
}
/** What a unit needs; 'all' for one that reads or writes what no name covers, and so runs beside nothing else. */
export type LockRule<Given_ = never> = 'all' | ((given: Given<Given_>) => readonly Need[]);

type Rules = { readonly [Name in OperationName]?: LockRule<Input<Name>> } & {
  readonly [Name in keyof InternalUnits]: LockRule<Parameters<InternalUnits[Name]>[1]>;
};

const chatOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: false });
const chatAndSenderOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: false, withSender: true });
const chatAsItIsOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: true });
/** Who has a push token, and which conversations are marked for it (`may_push`). */
const tokens = named('tokens');
const joining = named('tokens', true);
/** A name that is being given away. */
const name = (username: string): Lock => named(`name ${username}`);

/** In a conversation that the input names. */
const inChat = ({ input }: { input: { chat_id: string } }): readonly Need[] => [chat(input.chat_id)];
const joinsChat = ({ input }: { input: { chat_id: string } }): readonly Need[] => [chat(input.chat_id), joining];
/** The stored bytes of the caller, its owner and that owner's bots are one row. */
const ofHousehold = (caller: Caller): Lock => household(caller.username);
/** What is the caller's own. */
const ofCaller = ({ caller }: { caller: Caller }): readonly Need[] => [account(caller.key)];
/** One statement after another that are each right by themselves, or nothing but reads. */
const nothing = (): readonly Need[] => [];

/**
 * What each unit needs under READ COMMITTED, and why that is enough. Beside 'all' nothing runs, so whatever only such
 * units change (who takes part by an invite, blocks, deleted accounts, profiles, secrets) holds still for all others.
 */
export const unitLocks: Rules = {
  // Its positions, threads, firings and client_msg_id are the conversation's; how many of a human's firings wait, and
  // the draft that it clears, are the human's. For whom an agent's message fires is known only by what is stored: there
  // the bound of TURN-16 may be passed by what fires at the same moment in other conversations. The bytes that a
  // household stores are counted together, here and below, and so is what its bots fire unprompted (DISPATCH-16).
  // Files are counted in their rows: one that has gone meanwhile is 404.
  sendMessage: ({ caller, input }) => [
    chat(input.chat_id),
    ofHousehold(caller),
    ...(caller.kind === 'human' ? [account(caller.key)] : []),
  ],
  // As a message. What it copies stays where it is until it is counted to its new place.
  forwardMessages: ({ caller, input }) => [
    chat(input.to_chat_id),
    account(caller.key),
    ofHousehold(caller),
    ...input.message_ids.map(chatAsItIsOf),
  ],
  // The row of one message, which a deletion or the end of its stream would change too.
  editMessage: ({ caller, input }) => [chatOf(input.message_id), ofHousehold(caller)],
  // Threads are counted anew, pins and turns go with it: all in the conversation.
  deleteMessages: ({ input }) => input.message_ids.map(chatAndSenderOf),
  // What is unread is counted where nobody writes meanwhile; hidden rows, tokens and badges are the caller's.
  deleteMessagesForMe: ({ caller, input }) => [account(caller.key), ...input.message_ids.map(chatAsItIsOf)],
  markRead: ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)],
  // Reactions are numbered in their message.
  setMessageReaction: ({ input }) => [chatOf(input.message_id)],
  // Pins are numbered, and counted, in their conversation.
  pinMessage: inChat,
  unpinMessage: inChat,
  // All drafts of an account are counted together; who leaves the conversation leaves no draft there.
  saveDraft: ({ caller, input }) => [account(caller.key), chatAsItIs(input.chat_id)],
  // The caller's row alone.
  setChatNotifications: ofCaller,
  // What was pressed of late is the caller's; the confirmation is a message of the one who sent the component.
  sendComponentAction: ({ caller, input }) => [
    chat(input.chat_id),
    account(caller.key),
    chatAndSenderOf(input.message_id),
  ],
  // Reads, and tells one account.
  pushAlert: nothing,

  // A bot's open replies are counted; its firing is taken up in the conversation.
  startMessageStream: ({ caller, input }) => [chat(input.chat_id), account(caller.key), ofHousehold(caller)],
  // Turns and streams of one conversation.
  stopRun: inChat,
  // A message of the conversation; what runs and waits for its human is counted.
  retryReply: ({ caller, input }) => [chatOf(input.message_id), account(caller.key)],

  // Rows that belong to the conversation; who is asked for is there, and has blocked nobody, until 'all' says otherwise.
  setChatTitle: inChat,
  setChatDescription: inChat,
  setMemberRole: inChat,
  setGroupAgentMode: inChat,
  createChannel: inChat,
  createInvite: inChat,
  // Whoever joins may bring the first token, while another may just register one.
  addMembers: joinsChat,
  addGroupAgent: joinsChat,
  // They end turns of other conversations that ran on an owner's key because of this one; no claim runs beside them.
  removeMember: 'all',
  removeGroupAgent: 'all',
  leaveChat: 'all',
  // A conversation that nobody knows yet; of a pair of accounts the unique index lets one make it.
  startChat: () => [joining],
  // Ends replies, and releases files, of a whole channel.
  deleteChannel: inChat,
  // The conversation is known only by what is stored.
  joinChat: 'all',
  revokeInvite: 'all',

  // A name is given to one; all else is the new account's.
  signUp: ({ input }) => [name(input.username), joining],
  // Sessions are counted, and the idlest end.
  signIn: ({ prepared }) => [account((prepared as { accountKey: number }).accountKey)], // what its `prepare` answers
  // Sessions, and the tokens and preferences that hang on them.
  signOut: ofCaller,
  terminateSession: ofCaller,
  terminateOtherSessions: ofCaller,
  // Tokens are counted; the first one marks conversations, which `settlePushes` and whoever joins look at too.
  registerPushToken: ({ caller }) => [account(caller.key), tokens],
  unregisterPushToken: ofCaller,
  setNotificationPrefs: ofCaller,
  setDeviceNotificationPrefs: ofCaller,
  // Bots are counted, and named after their owner.
  createBot: ofCaller,
  rotateBotToken: 'all',

  // They shut out, or change what is read everywhere: obstacles, names, secrets. They are rare.
  blockUser: 'all',
  unblockUser: 'all',
  changePassword: 'all',
  deleteAccount: 'all',
  deleteBot: 'all',
  updateProfile: 'all',
  setAgentKey: 'all',
  removeAgentKey: 'all',
  setBotConfig: 'all',
  setMyBotConfig: 'all',

  createAccount: 'all',
  endAccountSessions: 'all',
  listAccountSessions: nothing,
  // It reads what everybody stores.
  recount: 'all',
  resetPassword: 'all',
  setAccountDisabled: 'all',

  // An agent's month in the books has one row.
  bookUsage: ({ input }) => [account(input.agentKey)],
  // The row of the stream: of two texts the later one stays.
  checkpoint: ({ input }) => [named(`stream ${input.messageKey}`)],
  // A message of the conversation; how many replies run for a human is counted under the human's lock.
  claimTurn: ({ input }) => [chat(input.chatId), account(input.humanKey)],
  // The final message, its firings (as those of an agent's message), its turn: the conversation's. What it has cost is the agent's.
  closeStream: ({ input }) => [chat(input.chatId), account(input.agentKey), household(input.agentName)],
  // Deletes the row of one token; what points to it is passed over.
  dropPushToken: nothing,
  // A file that is about to be sent must not go.
  dropUnusedFiles: 'all',
  emptyChat: 'all',
  ensureDevAccount: ({ input }) => [name(input.username)],
  ensureGuide: 'all',
  // Names of bytes: nobody else has them yet, or any more.
  expectBytes: nothing,
  forgetRemovals: nothing,
  forgetSearchChanges: () => [named('search changes')],
  forgetInvites: 'all',
  forgetSessions: 'all',
  // The log's own tables, behind what anybody writes.
  indexEvents: () => [named('log')],
  trimLog: () => [named('log')],
  trimScopes: () => [named('log')],
  recoverTurns: 'all',
  // Rows of each account's devices; a mark is taken off while nobody registers or joins.
  settlePushes: ({ input }) => [
    ...new Set(input.shown.map(({ accountKey }) => account(accountKey))),
    ...(input.quietChats.length > 0 ? [tokens] : []),
  ],
  // Of two that take over at once the second would be given the rows that it has waited for, too.
  takeOverPushes: () => [named('left pushes')],
  // What a person and its bots have stored is counted.
  storeFile: ({ caller }) => [account(caller.key), household(caller.username)],
  // Sessions of many: one after the other, or two nodes would wait for each other.
  touchSessions: () => [named('sessions')],
};

/** What the unit needs; 'all' also for one that nobody has thought of. */
export function needsOf({ name: unit, caller, input, prepared }: UnitRequest): readonly Need[] | 'all' {
  // Each rule is given the input that its unit is given.
  const rule = (unitLocks as Readonly<Record<string, LockRule<unknown>>>)[unit] ?? 'all';
  if (rule === 'all') return 'all';
  const needs = rule({ caller, input, prepared });
  return caller.key === 0 ? needs : [...needs, callOrder(caller.key)];
}

export const isLock = (need: Need): need is Lock => 'id' in need;
