import { limits, name } from '@parley/protocol';
import { writeAudit } from '../../commits/audit.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { everything, internalUnit, nothing } from '../../commits/unit-locks.ts';
import { defaultChatIds, joinDefaultChats } from '../../conversations/public-chats.ts';
import { forbidden } from '../../core/errors.ts';
import { isReservedName } from '../../rules/reserved-names.ts';
import { usernamesFor } from '../../rules/names-of-claims.ts';
import { accountByKey, accountByName, type AccountRow } from '../../store/accounts.ts';
import {
  accountOfIdentity,
  claimOidcRefresh,
  dropCodesOfSid,
  dropCodesOfSubject,
  dropOldLogins,
  insertCode,
  insertIdentity,
  insertLogin,
  noteLogout,
  noteOidcRefresh,
  sessionsOfSid,
  sessionsOfSubject,
  takeLogin,
  unconfirmedSessions,
} from '../../store/oidc.ts';
import { changeRole } from '../administer.ts';
import { comeIn, requireEntry } from '../come-in.ts';
import { endSessions } from '../end-sessions.ts';
import { isFirstPerson } from '../first-owner.ts';
import { makeHuman } from '../make-human.ts';
import { meetGuide } from '../meet-guide.ts';
import type { GivenRole } from './oidc-config.ts';

/** How long a person may take at the issuer, and a browser to exchange the code. */
export const LOGIN_MS = 600_000;
const CODE_MS = 60_000;
/** How long a used `jti` is remembered: longer than a logout token is good. */
const LOGOUT_KEPT_MS = 3_600_000;
/**
 * How long a node may take to ask an issuer before another one does: longer than four requests can take, as a refresh token
 * is often good once only.
 */
const LEASE_MS = 40_000;
/** How often an issuer is asked about each session: a disabled account ends within 5 minutes (OIDC-11). */
export const REFRESH_MS = 240_000;
/** How long sessions last whose issuer is away (OIDC-12). */
export const UNCONFIRMED_MS = 86_400_000;
/** Maximum sessions that one unit ends. */
const BLOCK = 500;

interface Person {
  issuer: string;
  subject: string;
}

/** A person whom an issuer has confirmed. */
export interface Entering extends Person {
  preferred: string | null;
  email: string | null;
  name: string | null;
  /** What the groups give; null if groups give no roles. */
  role: GivenRole | null;
  /** Whom the issuer confirms comes in. */
  only: boolean;
  invite: string | null;
  /** The network address of the browser, for the audit. */
  address: string;
  sid: string | null;
  /** The refresh token. */
  sealed: string | null;
  codeHash: string;
  browserHash: string;
}

/** A display name that a person could give itself (ACCT-10). */
const displayName = name(limits.nameBytes);

const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Begins a sign-in. */
const beginOidc = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, given: { stateHash: string; browserHash: string; sealed: string }): Promise<void> => {
    await tx.run(dropOldLogins, now);
    await tx.run(insertLogin, bytes(given.stateHash), bytes(given.browserHash), given.sealed, now + LOGIN_MS);
  },
);

/** Takes a sign-in that the same browser has begun, once; null if there is none (OIDC-3). */
const takeOidc = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, given: { stateHash: string; browserHash: string }): Promise<string | null> =>
    (await tx.get(takeLogin, bytes(given.stateHash), bytes(given.browserHash), now))?.sealed ?? null,
);

/** Finds or makes the account of a person whom an issuer has confirmed, and stores the code for its browser (OIDC-5 …). */
const enterByOidc = internalUnit({ locks: everything }, async (plain: UnitCall, given: Entering): Promise<void> => {
  const call = { ...plain, address: given.address };
  const { tx, now } = call;
  const { issuer, subject, codeHash, browserHash, sid, sealed } = given;
  const account = (await accountOf(call, given)) ?? (await newAccount(call, given));
  if (account.disabled_at !== null) throw forbidden('this account is disabled');
  await followGroups(call, account, given);
  await tx.run(
    insertCode,
    bytes(codeHash),
    bytes(browserHash),
    issuer,
    subject,
    account.key,
    sid,
    sealed,
    now + CODE_MS,
  );
});

async function accountOf({ tx }: UnitCall, { issuer, subject }: Person): Promise<AccountRow | undefined> {
  const known = await tx.get(accountOfIdentity, issuer, subject);
  const account = known && (await tx.get(accountByKey, known.account_key));
  return account?.deleted_at === null ? account : undefined;
}

async function newAccount(call: UnitCall, given: Entering): Promise<AccountRow> {
  const { tx, settings } = call;
  const { issuer, subject, invite, only } = given;
  if (!only && settings.signUp === 'closed') throw forbidden('sign-up is closed here');
  if (!only && settings.signUp === 'invite' && invite === null) throw forbidden('an invite is needed to sign up here');
  const entry = invite === null || settings.signUp === 'closed' ? undefined : await requireEntry(call, invite);
  const isFirst = settings.signUp === 'open' && (await isFirstPerson(tx));
  const role = isFirst ? 'owner' : (given.role ?? entry?.role ?? 'member');
  const key = await makeNamed(call, given, role, entry?.isPending ?? false);
  const account = await tx.get(accountByKey, key);
  if (!account) throw new Error('a new account is gone');
  await tx.run(insertIdentity, issuer, subject, key);
  // Guests are in the groups of their invite only (ENTER-5).
  if (role !== 'guest') await meetGuide(call, account);
  if (entry?.isPending !== true) await joinDefaultChats(call, key, await defaultChatIds(tx));
  if (entry) await comeIn(call, account, entry);
  const { username } = account;
  await writeAudit(call, 'signUp', { actor: username, target: username, details: { issuer } });
  return account;
}

/** Makes the account under the first name that is free; the unit excludes all others, so no name is taken meanwhile. */
async function makeNamed(call: UnitCall, given: Entering, role: AccountRow['role'], isPending: boolean) {
  const shown = displayName.safeParse(given.name?.trim());
  const isShown = shown.success && !isReservedName(shown.data);
  // The last bytes of a new id are random.
  const random = (): number => Buffer.from(call.newId()).readUInt32BE(12) / 2 ** 32;
  for (const username of usernamesFor(given, random)) {
    if (await call.tx.get(accountByName, username)) continue;
    const human = { username, displayName: isShown ? shown.data : username, passwordHash: null, role, isPending };
    const key = await makeHuman(call, human);
    if (key !== null) return key;
  }
  throw new Error('found no free username');
}

/** The role is what the groups give at each sign-in and refresh; owners stay (OIDC-7). */
async function followGroups(
  call: UnitCall,
  account: AccountRow,
  { role, issuer }: { role: GivenRole | null; issuer: string },
): Promise<void> {
  if (role === null || account.role === 'owner' || account.role === role) return;
  await changeRole(call, account, role);
  await writeAudit(call, 'setAccountRole', { actor: null, target: account.username, details: { role, issuer } });
}

/** Ends the sessions that a logout token names, and sign-ins that have no session yet; false for one that was used. */
const logoutByOidc = internalUnit(
  { locks: everything },
  async (
    call: UnitCall,
    given: { issuer: string; jtiHash: string; sid: string | null; subject: string | null },
  ): Promise<boolean> => {
    const { tx, now } = call;
    const { issuer, jtiHash, sid, subject } = given;
    if ((await tx.run(noteLogout, bytes(jtiHash), now + LOGOUT_KEPT_MS)) === 0) return false;
    if (sid !== null) {
      const found = await tx.all(sessionsOfSid, issuer, sid);
      // A person's token ends no session of somebody else.
      const own = found.filter((one) => subject === null || one.subject === subject);
      await tx.run(dropCodesOfSid, issuer, sid, subject);
      await endSessions(
        call,
        own.map((one) => one.session_key),
      );
    } else if (subject !== null) {
      await tx.run(dropCodesOfSubject, issuer, subject);
      await endSessions(
        call,
        (await tx.all(sessionsOfSubject, issuer, subject)).map((one) => one.session_key),
      );
    }
    return true;
  },
);

/** Whether this node is the one that asks the issuer about a session. */
const claimOidc = internalUnit(
  { locks: nothing },
  async ({ tx, now }: UnitCall, { sessionKey, former }: { sessionKey: number; former: number }): Promise<boolean> =>
    (await tx.run(claimOidcRefresh, sessionKey, former, now + LEASE_MS)) > 0,
);

/** The issuer has confirmed a session's person once more. */
const confirmOidc = internalUnit(
  { locks: everything },
  async (
    call: UnitCall,
    given: { sessionKey: number; accountKey: number; issuer: string; sealed: string; role: GivenRole | null },
  ): Promise<void> => {
    const { tx, now } = call;
    await tx.run(noteOidcRefresh, given.sessionKey, given.sealed, now, now + REFRESH_MS);
    const account = await tx.get(accountByKey, given.accountKey);
    if (account?.deleted_at === null) await followGroups(call, account, given);
  },
);

/** The issuer lets a person in no more: what began there ends (OIDC-11). */
const endOidc = internalUnit(
  { locks: everything },
  async (call: UnitCall, { sessionKeys }: { sessionKeys: readonly number[] }): Promise<void> =>
    endSessions(call, sessionKeys),
);

/** Ends sessions that their issuer could not confirm for a day (OIDC-12). Returns their number. */
const endUnconfirmed = internalUnit({ locks: everything }, async (call: UnitCall): Promise<number> => {
  const keys = (await call.tx.all(unconfirmedSessions, call.now - UNCONFIRMED_MS, BLOCK)).map((row) => row.session_key);
  await endSessions(call, keys);
  return keys.length;
});

export const oidcUnits = {
  beginOidc,
  claimOidc,
  confirmOidc,
  endOidc,
  endUnconfirmed,
  enterByOidc,
  logoutByOidc,
  takeOidc,
} as const;
