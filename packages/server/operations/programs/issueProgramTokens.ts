import { hash, timingSafeEqual } from 'node:crypto';
import type { Input, Result } from '@parley/protocol';
import { hasCome } from '@parley/protocol/dates';
import { writeAudit } from '../../commits/audit.ts';
import { account } from '../../commits/lock-names.ts';
import type { UnitCall } from '../../commits/unit-call.ts';
import { invalid, ServiceError } from '../../core/errors.ts';
import { idText } from '../../core/ids.ts';
import { BEARER_S, type CodeTerms, newRefreshToken, readRefreshToken } from '../../people/programs/grant-terms.ts';
import { isOurs } from '../../rules/served-hosts.ts';
import { newToken, tokenHash } from '../../secrets/tokens.ts';
import {
  type AccessTokenRow,
  deleteAccessToken,
  grantByCode,
  grantByRefresh,
  openGrant,
  renewGrant,
} from '../../store/access-tokens.ts';
import { accountByKey } from '../../store/accounts.ts';
import { preparedUnitThen } from '../handler.ts';
import type { Needs } from '../rooms.ts';

type Asked = Input<'issueProgramTokens'>;
type Issued = Result<'issueProgramTokens'>;

/** The same for everything that is wrong with a code or a refresh token. */
const refused = () =>
  new ServiceError('invalid_argument', 'the code or refresh token is unknown, used or expired', {
    error: 'invalid_grant',
  });

/**
 * The bearer of a grant, for its code or for its newest refresh token. One that was used before has been stolen, from the
 * program or by it: the grant ends, and so the unit commits although the call is refused (MCPS-15, MCPS-16).
 */
export default preparedUnitThen(
  'issueProgramTokens',
  {
    addsData: false,
    withheld: ['code', 'code_verifier', 'refresh_token'],
    async prepare({ tx }, input, { programs }: Needs<'programs'>) {
      const { resource } = input;
      if (resource !== undefined && !isOurs(programs.served, resource, ['/mcp', '/']))
        throw new ServiceError('invalid_argument', 'resource is not this service', { error: 'invalid_target' });
      const bearer = newToken('at_');
      if (input.grant_type === 'authorization_code') {
        const { code, code_verifier: verifier, redirect_uri: redirect } = input;
        if (code === undefined || verifier === undefined) throw invalid('code', 'and code_verifier are required');
        if (redirect === undefined) throw invalid('redirect_uri', 'is required');
        const codeHash = tokenHash(code);
        const row = await tx.get(grantByCode, codeHash);
        if (!row) throw refused();
        const challenge = hash('sha256', verifier, 'buffer');
        return {
          way: 'code',
          codeHash,
          challenge,
          refresh: newRefreshToken(),
          bearer,
          accountKey: row.account_key,
        } as const;
      }
      const { refresh_token: token } = input;
      if (token === undefined) throw invalid('refresh_token', 'is required');
      const given = readRefreshToken(token);
      const row = given && (await tx.get(grantByRefresh, given.familyHash));
      if (!given || !row) throw refused();
      const refresh = newRefreshToken(given.family);
      return { way: 'refresh', given: given.hash, refresh, bearer, accountKey: row.account_key } as const;
    },
    locks: ({ prepared }) => [account(prepared.accountKey)],
    async handle(call, input, prepared): Promise<Issued | null> {
      const { tx, now } = call;
      const row =
        prepared.way === 'code'
          ? await tx.get(grantByCode, prepared.codeHash)
          : await tx.get(grantByRefresh, prepared.refresh.familyHash);
      // Another program learns nothing, and ends nothing.
      if (!row || row.client_id !== input.client_id) return null;
      const isUsed = prepared.way === 'code' ? row.code === null : !isSame(row.refresh_hash, prepared.given);
      if (isUsed) {
        await endGrant(call, row);
        return null;
      }
      if (row.expires_at !== null && hasCome(row.expires_at, now)) return null;
      const person = await tx.get(accountByKey, row.account_key);
      if (!person || person.deleted_at !== null || person.disabled_at !== null) return null;
      const { bearer, refresh } = prepared;
      const bearerUntil = now + BEARER_S * 1_000;
      if (prepared.way === 'code') {
        const terms = JSON.parse(row.code ?? '') as CodeTerms; // as grantProgram has stored it
        if (!meets(terms, input, prepared.challenge)) return null;
        const expiresAt = terms.expires_in === null ? null : row.created_at + terms.expires_in * 1_000;
        await tx.run(openGrant, row.key, expiresAt, bearer.hash, bearerUntil, refresh.familyHash, refresh.hash);
      } else await tx.run(renewGrant, row.key, bearer.hash, bearerUntil, refresh.hash);
      return {
        access_token: bearer.token,
        token_type: 'Bearer',
        expires_in: BEARER_S,
        refresh_token: refresh.token,
        scope: row.scopes,
      };
    },
  },
  (_call, issued) => {
    if (!issued) throw refused();
    return issued;
  },
);

const isSame = (one: Uint8Array | null, other: Uint8Array): boolean =>
  one !== null && one.length === other.length && timingSafeEqual(one, other);

const meets = (
  { redirect_uri, code_challenge }: CodeTerms,
  input: Pick<Asked, 'redirect_uri'>,
  challenge: Uint8Array,
) => redirect_uri === input.redirect_uri && isSame(Buffer.from(code_challenge, 'base64url'), challenge);

async function endGrant(call: UnitCall, row: AccessTokenRow): Promise<void> {
  await call.tx.run(deleteAccessToken, row.key);
  call.intend({ type: 'closeTokens', tokenKeys: [row.key] });
  const person = await call.tx.get(accountByKey, row.account_key);
  const details = { was_used_twice: true };
  if (person) await writeAudit(call, 'revokeAccessToken', { actor: person.username, target: idText(row.id), details });
}
