// What an access token may do: its scopes (ACCESS-6) and, in chat-limited-calls.ts, its conversations.
import { type OperationName, type OperationPolicy, operations } from '@parley/protocol';
import { hasCome } from '@parley/protocol/dates';
import type { AccessGrant } from '../access/call.ts';
import { forbidden, ServiceError } from '../core/errors.ts';

/** 401 for a token that has expired, 403 for an operation outside its scopes. */
export function assertTokenMayCall(name: OperationName, { scopes, expiresAt }: AccessGrant, now: number): void {
  // Its sockets close within two seconds.
  if (expiresAt !== null && hasCome(expiresAt, now))
    throw new ServiceError('unauthenticated', 'the access token has expired');
  const { scope }: OperationPolicy = operations[name].policy;
  if (scope === null) throw forbidden('no access token may do this');
  if (!scopes.includes(scope)) throw forbidden(`this access token lacks the scope ${scope}`);
}

/** 403 for fields with secrets (ACCESS-7). */
export function assertNoSecrets(name: OperationName, params: unknown): void {
  const { notByToken = [] }: OperationPolicy = operations[name].policy;
  if (typeof params !== 'object' || params === null) return;
  const found = notByToken.find((field) => Object.hasOwn(params, field));
  if (found !== undefined) throw forbidden(`an access token may not set ${found}`);
}
