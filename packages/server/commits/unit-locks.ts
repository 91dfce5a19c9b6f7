import type { Caller } from '../access/call.ts';
import { account, chat, household, type Lock, named } from './lock-names.ts';
import type { UnitCall } from './unit-call.ts';

/** The conversation of a message, and perhaps its sender's household: both must be looked up in the store. */
export interface ChatOfMessage {
  readonly messageId: string;
  readonly isShared: boolean;
  /** Locks the sender's household too, because its stored bytes change. */
  readonly withSender?: true;
}
export type Need = Lock | ChatOfMessage;

interface Request<Input, Prepared> {
  caller: Caller;
  input: Input;
  prepared: Prepared;
}
/**
 * The locks that a unit needs under READ COMMITTED (CLUSTER-30). It is declared with the unit. A unit with the rule
 * `everything` excludes all others, so rows that only such units write (memberships that end, blocks, deleted accounts,
 * profiles, secrets) cannot change while any other unit runs.
 */
export type LockRule<Input = never, Prepared = never> =
  | typeof everything
  | ((request: Request<Input, Prepared>) => readonly Need[] | typeof everything);

/**
 * For a unit that reads or writes rows that no lock name covers: no other unit of the cluster runs at the same time.
 */
export const everything = 'all';
/** For a unit that only reads, or in which every statement is correct on its own. */
export const nothing = (): readonly Need[] => [];
/** The rows of the conversation that the input names. */
export const inChat = ({ input }: { input: { chat_id: string } }): readonly Need[] => [chat(input.chat_id)];
/** The caller's own rows. */
export const ofCaller = ({ caller }: { caller: Caller }): readonly Need[] => [account(caller.key)];
/** The row that counts the stored bytes of a person and all of their bots. */
export const householdOf = (caller: Caller): Lock => household(caller.username);
/** The push tokens of accounts, and the marks of conversations in which an account has one (`may_push`). */
export const pushMarks = named('tokens');
/** A new member may bring a conversation its first push token, so no token may be registered at the same time. */
export const joining = named('tokens', true);
/** Joins of new members to the conversation that the input names. */
export const joinsChat = ({ input }: { input: { chat_id: string } }): readonly Need[] => [chat(input.chat_id), joining];
/** A username that is about to be taken. */
export const username = (name: string): Lock => named(`name ${name}`);
export const chatOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: false });
export const chatAndSenderOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: false, withSender: true });
export const chatAsItIsOf = (messageId: string): ChatOfMessage => ({ messageId, isShared: true });

export const isLock = (need: Need): need is Lock => 'id' in need;

type Handle = (call: UnitCall, input: never, prepared: never) => unknown;
type InputOf<Unit> = Unit extends (call: UnitCall, input: infer Input) => unknown ? Input : never;

/** Declares what a unit of work does and which locks it needs. */
export const withLocks = <Unit extends Handle>(locks: LockRule, handle: Unit): Unit & { readonly locks: LockRule } =>
  Object.assign(handle, { locks });

/** Declares one of the service's own units; operations declare theirs with `unit` (operations/handler.ts). */
export const internalUnit = <Unit extends Handle>(
  { locks }: { locks: LockRule<InputOf<NoInfer<Unit>>> },
  handle: Unit,
): Unit & { readonly locks: LockRule } => withLocks(locks, handle);
