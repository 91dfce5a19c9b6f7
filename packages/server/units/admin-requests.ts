import { newUsername } from '@parley/protocol';
import { z } from 'zod';
import { KEY_SET_BYTES } from '../people/jwk-set.ts';
import type { adminUnits } from './administration.ts';

const username = z.string();
const passwordHash = z.string().startsWith('$argon2id$');

const backend = { name: z.string().regex(/^[a-z0-9_-]{1,32}$/), owner: username.nullable() };
const line = z.string().min(1).max(1_024);

/** The units that the admin command may run (units/administration.ts), and the input of each. */
export const requests = {
  createAccount: z.object({ username: newUsername(), displayName: z.string().min(1), passwordHash }),
  deleteAnyEmoji: z.object({ name: z.string() }),
  endBackendSessions: z.object({ name: z.string() }),
  endAccountSessions: z.object({ username, sessionId: z.string().nullable() }),
  listBackends: z.object({}),
  listAccountSessions: z.object({ username }),
  recount: z.object({}),
  revokeBackend: z.object({ name: z.string() }),
  resetPassword: z.object({ username, passwordHash }),
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
  setAccountDisabled: z.object({ username, isDisabled: z.boolean() }),
} as const;

export type AdminRequest = keyof typeof requests;
export type AdminInput<Name extends AdminRequest> = z.infer<(typeof requests)[Name]>;
export type AdminAnswer<Name extends AdminRequest> = Awaited<ReturnType<(typeof adminUnits)[Name]>>;

export const isAdminRequest = (name: unknown): name is AdminRequest =>
  typeof name === 'string' && Object.hasOwn(requests, name);
