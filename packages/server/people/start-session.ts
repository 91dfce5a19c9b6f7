import type { Input, Result } from '@parley/protocol';
import type { UnitCall } from '../commits/unit-call.ts';
import type { Renderable } from '../core/json.ts';
import type { NewToken } from '../secrets/tokens.ts';
import { ownAccountRecord } from '../rendering/accounts.ts';
import type { AccountRow } from '../store/accounts.ts';
import { noteDevice } from '../store/device-tokens.ts';
import { idlestSessions, insertSession, sessionCount, type SessionRow } from '../store/sessions.ts';
import { sessionRecord } from '../rendering/records.ts';
import { lacksFactor } from './require-factor.ts';
import { endSessions } from './end-sessions.ts';

type SessionCall = Pick<UnitCall, 'tx' | 'now' | 'newId' | 'settings' | 'intend'>;

/**
 * Signs an account in on a device, and returns the result of signUp and signIn. Only hashes of the tokens are stored.
 */
export async function startSession(
  call: SessionCall,
  account: AccountRow,
  device: Input<'signIn'>['device'],
  tokens: SessionTokens,
): Promise<SignedIn> {
  const needsFactor = await lacksFactor(call, account);
  return (await openSession(call, account, device, { ...tokens, needsFactor })).answer;
}

interface SessionTokens {
  token: NewToken;
  deviceToken: NewToken;
}

type SignedIn = Renderable<Result<'signIn'>>;

/** The same, with the row of the session. */
export async function openSession(
  call: SessionCall,
  account: AccountRow,
  device: Input<'signIn'>['device'],
  { token, deviceToken, needsFactor = false }: SessionTokens & { needsFactor?: boolean },
): Promise<{ row: SessionRow; answer: SignedIn }> {
  const { tx, now, settings } = call;
  const row = await addSession(call, account, {
    device,
    tokenHash: token.hash,
    expiresAt: now + settings.sessionLifetimeMs,
    backendKey: null,
  });
  await noteDevice(
    tx,
    { hash: deviceToken.hash, accountKey: account.key, sessionId: row.id, now },
    settings.devicesPerAccount,
  );
  const answer = {
    token: token.token,
    session: sessionRecord(row, row.key),
    account: ownAccountRecord(account),
    device_token: deviceToken.token,
    ...(needsFactor && { needs_second_factor: true as const }),
  };
  return { row, answer };
}

interface NewSession {
  device: Input<'signIn'>['device'];
  tokenHash: Uint8Array;
  expiresAt: number;
  /** The backend for whose user the session is, which is then a limited one (TOKEN-6). */
  backendKey: number | null;
}

/** Stores a session; above the maximum of the account, the least recently used ones end (AUTH-17). */
export async function addSession(
  call: SessionCall,
  account: AccountRow,
  { device, tokenHash, expiresAt, backendKey }: NewSession,
): Promise<SessionRow> {
  const { tx, now, newId } = call;
  const row = {
    id: newId(),
    account_key: account.key,
    device_name: device?.name ?? null,
    platform: device?.platform ?? null,
    app_version: device?.app_version ?? null,
    created_at: now,
    last_active_at: now,
    expires_at: expiresAt,
    backend_key: backendKey,
  };
  const made = await tx.get(
    insertSession,
    row.id,
    row.account_key,
    tokenHash,
    row.device_name,
    row.platform,
    row.app_version,
    now,
    row.expires_at,
    row.backend_key,
  );
  if (!made) throw new Error('an INSERT … RETURNING gave no row');
  await makeRoom(call, account.key, made.key);
  return { ...row, key: made.key };
}

/**
 * Ends the least recently used sessions above the maximum (AUTH-17). Runs after the new session is inserted, so that
 * its key cannot be that of an ended one.
 */
async function makeRoom(call: Pick<UnitCall, 'tx' | 'settings' | 'intend'>, accountKey: number, newKey: number) {
  const { tx, settings } = call;
  const tooMany = ((await tx.get(sessionCount, accountKey))?.count ?? 0) - settings.sessionsPerAccount;
  if (tooMany <= 0) return;
  const idlest = await tx.all(idlestSessions, accountKey, newKey, tooMany);
  await endSessions(
    call,
    idlest.map(({ key }) => key),
  );
}
