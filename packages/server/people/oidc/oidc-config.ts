import { type AccountRole, accountRoles } from '@parley/protocol';
import { z } from 'zod';
import { ConfigError } from '../../core/config-error.ts';

/** An issuer at which people sign in, as `OIDC` gives it (OIDC-1). */
export interface OidcIssuer {
  /** In addresses. */
  id: string;
  /** On the button. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scopes: readonly string[];
  groupsClaim: string | null;
  /** The roles of people in groups, by the name of the group. */
  roles: ReadonlyMap<string, GivenRole>;
  /** Nobody but owners signs in with a password. */
  only: boolean;
}
/** Owners are made here, never by an issuer. */
export type GivenRole = Exclude<AccountRole, 'owner'>;

const MAX_ISSUERS = 20;
const text = (most: number) => z.string().trim().min(1).max(most);
const givenRoles = accountRoles.filter((role): role is GivenRole => role !== 'owner');

const declared = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'must be 1 to 32 of a-z, 0-9, _ and -'),
  name: text(64),
  issuer: z.string(),
  client_id: text(512),
  client_secret: text(4_096).optional(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'must be a scope'))
    .max(50)
    .default(['openid', 'profile', 'email']),
  groups_claim: text(256).optional(),
  roles: z.record(z.string(), z.enum(givenRoles, `must be one of ${givenRoles.join(', ')}`)).optional(),
  only: z.boolean().default(false),
});

/** Parses OIDC; errors do not repeat values, which may be secrets (OIDC-1). */
export function readOidc(value: (name: string) => string | undefined, isLoopback: (host: string) => boolean) {
  const given = value('OIDC');
  if (given === undefined) return [];
  const parsed = z.array(declared).max(MAX_ISSUERS).safeParse(jsonOf(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigError(`OIDC: ${issue?.path.join('.') || 'the list'}: ${issue?.message ?? 'is not valid'}`);
  }
  const issuers = parsed.data.map((one): OidcIssuer => {
    const fail = (why: string) => new ConfigError(`OIDC: ${one.id}: ${why}`);
    const url = URL.parse(one.issuer);
    if (!url || !/^https?:$/.test(url.protocol) || url.search + url.hash + url.username + url.password !== '')
      throw fail('issuer must be an https URL without a query');
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw fail('issuer must be https, unless on loopback');
    if (one.roles && one.groups_claim === undefined) throw fail('roles needs groups_claim');
    if (!one.scopes.includes('openid')) throw fail('scopes must contain openid');
    return {
      id: one.id,
      name: one.name,
      issuer: one.issuer,
      clientId: one.client_id,
      clientSecret: one.client_secret ?? null,
      scopes: one.scopes,
      groupsClaim: one.groups_claim ?? null,
      roles: new Map(Object.entries(one.roles ?? {})),
      only: one.only,
    };
  });
  for (const field of ['id', 'issuer'] as const)
    if (new Set(issuers.map((one) => one[field])).size !== issuers.length)
      throw new ConfigError(`OIDC: two issuers have the same ${field}`);
  return issuers;
}

function jsonOf(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    throw new ConfigError('OIDC must be a JSON list of issuers');
  }
}

/** The highest role that the groups of a person give; without one of them, a member (OIDC-7). */
export function roleOfGroups({ roles }: Pick<OidcIssuer, 'roles'>, groups: unknown): GivenRole {
  const names = typeof groups === 'string' ? [groups] : Array.isArray(groups) ? groups : [];
  const given = new Set(names.flatMap((name) => (typeof name === 'string' ? (roles.get(name) ?? []) : [])));
  return givenRoles.findLast((role) => given.has(role)) ?? 'member';
}
