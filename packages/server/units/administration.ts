import { isUuid } from '@parley/protocol';
import type { AdminInput } from './admin-requests.ts';
import type { UnitCall } from '../commits/unit-call.ts';
import { everything, internalUnit, nothing } from '../commits/unit-locks.ts';
import { conflict, invalid, notFound } from '../core/errors.ts';
import { dropEmoji } from '../files/emoji.ts';
import { emojiNamed } from '../store/emoji.ts';
import { idBytes } from '../core/ids.ts';
import { endSessions } from '../people/end-sessions.ts';
import { makeHuman } from '../people/make-human.ts';
import { meetGuide } from '../people/meet-guide.ts';
import { accountByKey, type AccountRow, agentsOf, isService, setDisabled, setPassword } from '../store/accounts.ts';
import { dropDeviceOfSession, dropDevicesOf } from '../store/device-tokens.ts';
import { dropTokensOf } from '../store/notifications.ts';
import { forgetShownOf } from '../store/shown-pushes.ts';
import { sessionRecord } from '../rendering/records.ts';
import { sessionsOf } from '../store/sessions.ts';
import { awaitMissingTexts, dropLeftTexts } from '../store/file-texts.ts';
import { writeForms } from '../store/forms-anew.ts';
import { recountStored } from '../store/stored-bytes.ts';
import { deleteSubscriptionsOf } from '../store/webhook-subscriptions.ts';
import { backendUnits } from './backends.ts';
import { ensureGuide } from '../agents/ensure-guide.ts';
import { requireHuman } from './require-human.ts';

/** Creates an account as signUp does, even if sign-up is closed, but without a session (ADMIN-2). */
const createAccount = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: AdminInput<'createAccount'>): Promise<void> => {
    // A service that has never run has no guide yet.
    await ensureGuide(call);
    const key = isService(input) ? null : await makeHuman(call, input);
    const account = key === null ? undefined : await call.tx.get(accountByKey, key);
    if (!account) throw conflict(`the username ${input.username} is taken`);
    await meetGuide(call, account);
  },
);

/** Disables or enables an account and its agents (ADMIN-3, ADMIN-4). Returns the number of ended sessions. */
const setAccountDisabled = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: AdminInput<'setAccountDisabled'>): Promise<number> => {
    const { tx, now } = call;
    const account = await requireHuman(tx, input.username);
    const agents = await tx.all(agentsOf, account.key);
    if (!input.isDisabled) {
      await tx.run(setDisabled, account.key, null);
      for (const { key } of [account, ...agents]) call.shutOut(key, false);
      return 0;
    }
    await tx.run(setDisabled, account.key, account.disabled_at ?? now);
    await tx.run(forgetShownOf, account.key);
    await tx.run(dropTokensOf, account.key);
    call.shutOut(account.key, true);
    for (const { key } of agents) {
      call.shutOut(key, true);
      call.intend({ type: 'closeAccount', accountKey: key });
    }
    return endAll(call, account);
  },
);

/** Sets a new password and ends all sessions and webhook subscriptions of the account (ADMIN-5). */
const resetPassword = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: AdminInput<'resetPassword'>): Promise<number> => {
    const account = await requireHuman(call.tx, input.username);
    await call.tx.run(setPassword, account.key, input.passwordHash);
    await call.tx.run(deleteSubscriptionsOf, account.key);
    return endAll(call, account);
  },
);

const listAccountSessions = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { username }: AdminInput<'listAccountSessions'>) => {
    const { key } = await requireHuman(tx, username);
    return (await tx.all(sessionsOf, key, now)).map((row) => sessionRecord(row, null));
  },
);

/** Deletes a custom emoji; returns the username of its maker (ADMIN-17). */
const deleteAnyEmoji = internalUnit(
  { locks: everything },
  async (call: UnitCall, { name }: AdminInput<'deleteAnyEmoji'>): Promise<string> => {
    const emoji = await call.tx.get(emojiNamed, name);
    const maker = emoji && (await call.tx.get(accountByKey, emoji.account_key));
    if (!maker) throw notFound(`emoji ${name}`);
    await dropEmoji(call, emoji);
    return maker.username;
  },
);

/** Ends one session or all; returns their number (ADMIN-6). */
const endAccountSessions = internalUnit(
  { locks: everything },
  async (call: UnitCall, input: AdminInput<'endAccountSessions'>): Promise<number> => {
    const account = await requireHuman(call.tx, input.username);
    const { sessionId } = input;
    if (sessionId === null) return endAll(call, account);
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

/** Ends all sessions, expired ones too, and the sockets of tokens without a session. */
async function endAll(call: UnitCall, account: AccountRow): Promise<number> {
  const { tx, now } = call;
  await tx.run(dropDevicesOf, account.key);
  const sessions = await tx.all(sessionsOf, account.key, 0);
  await endSessions(
    call,
    sessions.map(({ key }) => key),
  );
  call.intend({ type: 'closeAccount', accountKey: account.key });
  return sessions.filter(({ expires_at }) => expires_at > now).length;
}

/** Corrects the counts of stored bytes; returns how many were wrong (ADMIN-16). */
const recount = internalUnit(
  {
    // Locks everything, because it reads the rows of every account.
    locks: everything,
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
  createAccount,
  endAccountSessions,
  listAccountSessions,
  recount,
  resetPassword,
  deleteAnyEmoji,
  setAccountDisabled,
} as const;
