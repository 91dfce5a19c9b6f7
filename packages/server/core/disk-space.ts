import { statfs } from 'node:fs/promises';
import type { Input, OperationName } from '@parley/protocol';
import type { Logger } from 'pino';
import { type Handler, isRated } from '../operations/handler.ts';

/** Bytes that this process may still write to the disk of a folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whether the disk of the data has room for writes, as it was when last looked at (LIMIT-23). */
export class DiskSpace {
  isFull = false;
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #logger: Logger;

  constructor({ dataDir, minFreeBytes }: { dataDir: string; minFreeBytes: number }, logger: Logger) {
    this.#folder = dataDir;
    this.#minFreeBytes = minFreeBytes;
    this.#logger = logger;
  }

  /** Called about once a second. */
  async look(): Promise<void> {
    const free = await freeBytes(this.#folder);
    const isFull = free < this.#minFreeBytes;
    if (isFull === this.isFull) return;
    this.isFull = isFull;
    const facts = { free_bytes: free, min_free_bytes: this.#minFreeBytes };
    if (isFull) this.#logger.warn(facts, 'the disk is full: writes that add data are refused');
    else this.#logger.info(facts, 'the disk has room again: writes are taken');
  }
}

type Test<Name extends OperationName> = (input: Input<Name>) => boolean;

/** Calls that go on while the disk is full: they end, remove or read something, or sign in. */
const goesOn: { readonly [Name in OperationName]?: true | Test<Name> } = {
  signIn: true,
  signOut: true,
  terminateSession: true,
  terminateOtherSessions: true,
  changePassword: true,
  deleteAccount: true,
  // It ends the use of the caller's key at once.
  blockUser: true,
  unblockUser: true,
  deleteMessages: true,
  deleteMessagesForMe: true,
  markRead: true,
  unpinMessage: true,
  setMessageReaction: ({ remove }) => remove === true,
  saveDraft: ({ text }) => text.trim() === '',
  stopRun: true,
  leaveChat: true,
  removeMember: true,
  deleteChannel: true,
  revokeInvite: true,
  removeGroupAgent: true,
  removeAgentKey: true,
  deleteBot: true,
  // Who may use the owner's key, and how much of it; what else it sets is text.
  setBotConfig: ({ config, secrets, show_on_profile }) => !config && !secrets && !show_on_profile,
  rotateBotToken: true,
  unregisterPushToken: true,
  finishMessageStream: ({ text, attachments = [] }) => text === undefined && attachments.length === 0,
  // They store nothing.
  sendChatAction: true,
  queryInline: true,
  answerInlineQuery: true,
  wsFocus: true,
};

/** Whether a call adds data. A new operation that writes does, unless it is named above. */
export function addsData(name: OperationName, handler: Handler, input: object): boolean {
  if (!isRated(handler)) return false;
  const rule: true | ((input: never) => boolean) | undefined = goesOn[name];
  // The rule of an operation is given what its declaration has parsed.
  return typeof rule === 'function' ? !rule(input as never) : rule === undefined;
}
