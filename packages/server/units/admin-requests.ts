import { accountRoles, newUsername } from '@parley/protocol';
import { z } from 'zod';
import { KEY_SET_BYTES } from '../people/jwk-set.ts';
import { MAX_DAILY_TOKENS } from '../agents/house.ts';
import type { adminUnits } from './administration.ts';

const username = z.string();
const passwordHash = z.string().startsWith('$argon2id$');

const backend = { name: z.string().regex(/^[a-z0-9_-]{1,32}$/), owner: username.nullable() };
const line = z.string().min(1).max(1_024);
const provider = z.enum(['provider_a', 'provider_b']);
const tokens = z.int().min(1).max(MAX_DAILY_TOKENS);

/** The units that the admin command may run (units/administration.ts), and the input of each. */
export const requests = {
  createAccount: z.object({ username: newUsername(), displayName: z.string().min(1), passwordHash }),
  deleteAnyEmoji: z.object({ name: z.string() }),
  endBackendSessions: z.object({ name: z.string() }),
  endAccountSessions: z.object({ username, sessionId: z.string().nullable() }),
  listBackends: z.object({}),
  listAccountSessions: z.object({ username }),
  prepareHouseAgent: z.object({ provider }),
  recount: z.object({}),
  removeHouseAgent: z.object({}),
  revokeBackend: z.object({ name: z.string() }),
  replacePassword: z.object({ username, passwordHash }),
  dropSecondFactor: z.object({ username }),
  setBackendIssuer: z.object({
    ...backend,
    issuer: line,
    audience: line,
    jwks: z.string().max(KEY_SET_BYTES),
    jwksUrl: z.string().max(2_048).nullable(),
  }),
  setBackendKey: z.object({
    ...backend,
    keyHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  setHouseAgent: z.object({
    provider,
    model: line.nullable(),
    dailyTokens: tokens,
    dailyTokensOfAll: tokens,
    // Sealed by the admin command.
    key: z.object({ sealed: z.string().startsWith('v1:').max(16_384), tail: line }).nullable(),
  }),
  showHouseAgent: z.object({}),
  assignRole: z.object({ username, role: z.enum(accountRoles) }),
  switchAccount: z.object({ username, isDisabled: z.boolean() }),
} as const;

export type AdminRequest = keyof typeof requests;
export type AdminInput<Name extends AdminRequest> = z.infer<(typeof requests)[Name]>;
export type AdminAnswer<Name extends AdminRequest> = Awaited<ReturnType<(typeof adminUnits)[Name]>>;

export const isAdminRequest = (name: unknown): name is AdminRequest =>
  typeof name === 'string' && Object.hasOwn(requests, name);
