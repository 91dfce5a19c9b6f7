import { isUuid } from '@parley/protocol';
import type { AdminInput } from './admin-requests.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, nothing } from '../commits/unit-locks.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { dropEmoji } from '../files/emoji.ts';
import { emojiNamed } from '../store/emoji.ts';
import { idBytes } from '../core/ids.ts';
import { changeRole } from '../people/administer.ts';
import { disableAccount, enableAccount, endAllSessions } from '../people/disable-account.ts';
import { endSessions } from '../people/end-sessions.ts';
import { isFirstPerson } from '../people/first-owner.ts';
import { makeHuman } from '../people/make-human.ts';
import { defaultChatIds, joinDefaultChats } from '../conversations/public-chats.ts';
import { meetGuide } from '../people/meet-guide.ts';
import { dropFactor, hasFactor } from '../people/second-factor.ts';
import { resetPassword } from '../people/reset-password.ts';
import { accountByKey, isService } from '../store/accounts.ts';
import { dropDeviceOfSession } from '../store/device-tokens.ts';
import { sessionRecord } from '../rendering/records.ts';
import { sessionsOf } from '../store/sessions.ts';
import { awaitMissingTexts, dropLeftTexts } from '../store/file-texts.ts';
import { writeForms } from '../store/forms-anew.ts';
import { recountStored } from '../store/stored-bytes.ts';
import { backendUnits } from './backends.ts';
import { ensureGuide } from '../agents/ensure-guide.ts';
import { houseUnits } from './house.ts';
import { requireHuman } from './require-human.ts';
import { shellUnit } from './shell-unit.ts';

/** Creates an account as signUp does, even if sign-up is closed, but without a session (ADMIN-2). */
const createAccount = shellUnit(
  { locks: everything, audit: ({ username }) => ({ command: 'account create', target: username }) },
  async (call: UnitCall, input: AdminInput<'createAccount'>): Promise<void> => {
    // A service that has never run has no guide yet.
    await ensureGuide(call);
    const role = (await isFirstPerson(call.tx)) ? 'owner' : 'member';
    const key = isService(input) ? null : await makeHuman(call, { ...input, role });
    const account = key === null ? undefined : await call.tx.get(accountByKey, key);
    if (!account) throw conflict(`the username ${input.username} is taken`);
    await meetGuide(call, account);
    await joinDefaultChats(call, account.key, await defaultChatIds(call.tx));
  },
);

/** Disables or enables an account and its agents (ADMIN-3, ADMIN-4). Returns the number of ended sessions. */
const switchAccount = shellUnit(
  {
    locks: everything,
    audit: ({ username, isDisabled }, sessions) =>
      isDisabled
        ? { command: 'account disable', target: username, details: { sessions } }
        : { command: 'account enable', target: username },
  },
  async (call: UnitCall, input: AdminInput<'switchAccount'>): Promise<number> => {
    const account = await requireHuman(call.tx, input.username);
    if (input.isDisabled) return disableAccount(call, account);
    await enableAccount(call, account);
    return 0;
  },
);

/** Sets a new password and ends all sessions and webhook subscriptions of the account (ADMIN-5). */
const replacePassword = shellUnit(
  {
    locks: everything,
    audit: ({ username }, sessions) => ({ command: 'account reset-password', target: username, details: { sessions } }),
  },
  async (call: UnitCall, input: AdminInput<'replacePassword'>): Promise<number> => {
    return resetPassword(call, await requireHuman(call.tx, input.username), input.passwordHash);
  },
);

/** Turns off the second factor of a person who has lost it, and ends all sessions (FACTOR-7). */
const dropSecondFactor = shellUnit(
  {
    locks: everything,
    audit: ({ username }, sessions) => ({
      command: 'account reset-second-factor',
      target: username,
      details: { sessions },
    }),
  },
  async (call: UnitCall, { username }: AdminInput<'dropSecondFactor'>): Promise<number> => {
    const account = await requireHuman(call.tx, username);
    if (!(await hasFactor(call.tx, account.key))) throw notFound(`second factor of ${username}`);
    await dropFactor(call.tx, account.key);
    return endAllSessions(call, account);
  },
);

const listAccountSessions = shellUnit(
  { locks: nothing, audit: ({ username }) => ({ command: 'sessions list', target: username }) },
  async ({ tx, now }: UnitCall, { username }: AdminInput<'listAccountSessions'>) => {
    const { key } = await requireHuman(tx, username);
    return (await tx.all(sessionsOf, key, now)).map((row) => sessionRecord(row, null));
  },
);

/** Deletes a custom emoji; returns the username of its maker (ADMIN-17). */
const deleteAnyEmoji = shellUnit(
  { locks: everything, audit: ({ name }, maker) => ({ command: 'emoji delete', target: name, details: { maker } }) },
  async (call: UnitCall, { name }: AdminInput<'deleteAnyEmoji'>): Promise<string> => {
    const emoji = await call.tx.get(emojiNamed, name);
    const maker = emoji && (await call.tx.get(accountByKey, emoji.account_key));
    if (!maker) throw notFound(`emoji ${name}`);
    await dropEmoji(call, emoji);
    return maker.username;
  },
);

/** Ends one session or all; returns their number (ADMIN-6). */
const endAccountSessions = shellUnit(
  {
    locks: everything,
    audit: ({ username, sessionId }, sessions) => ({
      command: 'sessions end',
      target: username,
      details: { sessions, ...(sessionId !== null && { session: sessionId }) },
    }),
  },
  async (call: UnitCall, input: AdminInput<'endAccountSessions'>): Promise<number> => {
    const account = await requireHuman(call.tx, input.username);
    const { sessionId } = input;
    if (sessionId === null) return endAllSessions(call, account);
    if (!isUuid(sessionId)) throw invalid('ID', 'is not a UUID');
    const id = idBytes(sessionId);
    const session = (await call.tx.all(sessionsOf, account.key, call.now)).find(
      (row) => Buffer.compare(row.id, id) === 0,
    );
    if (!session) throw notFound(`session ${sessionId} of ${account.username}`);
    await call.tx.run(dropDeviceOfSession, account.key, session.id);
    await endSessions(call, [session.key]);
    return 1;
  },
);

/** Sets a person's role in the service (ADMIN-22). */
const assignRole = shellUnit(
  {
    locks: everything,
    audit: ({ username, role }) => ({ command: 'account role', target: username, details: { role } }),
  },
  async (call: UnitCall, { username, role }: AdminInput<'assignRole'>): Promise<void> => {
    await changeRole(call, await requireHuman(call.tx, username), role);
  },
);

/** Corrects the counts of stored bytes; returns how many were wrong (ADMIN-16). */
const recount = shellUnit(
  {
    // Locks everything, because it reads the rows of every account.
    locks: everything,
    audit: (_input, corrected) => ({ command: 'recount', details: { corrected } }),
  },
  async ({ tx }: UnitCall): Promise<number> => {
    // Nodes of an earlier version let no files wait to be read, and leave the texts of files that they delete.
    await tx.run(awaitMissingTexts);
    await tx.run(dropLeftTexts);
    // Names and emoji that such nodes stored have the former forms.
    await writeForms(async ({ statement, params }) => tx.all(statement, ...params));
    return tx.run(recountStored);
  },
);

export const adminUnits = {
  ...backendUnits,
  ...houseUnits,
  assignRole,
  createAccount,
  endAccountSessions,
  listAccountSessions,
  recount,
  replacePassword,
  dropSecondFactor,
  deleteAnyEmoji,
  switchAccount,
} as const;
