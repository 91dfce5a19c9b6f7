import { z } from 'zod';
import { tokenScopes } from '../access-scopes.ts';
import { askedPassword, name, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { AccessToken } from '../resources/access-tokens.ts';

export const accessTokenOperations = {
  createAccessToken: operation({
    since: 16,
    summary:
      'Makes a token of the caller with which a program may do what `scopes` name, over HTTP, the WebSocket and `/mcp`. `token` is returned only here. People only.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({
      name: name(limits.nameBytes).describe('what the token is for; messages written with it show this name'),
      scopes: z.array(z.enum(tokenScopes)).min(1).max(tokenScopes.length).describe('what the token may do'),
      chat_ids: optional(z.array(uuid()).min(1).max(limits.accessTokenChats)).describe(
        'conversations of the caller: for the token no other ones exist',
      ),
      expires_in: optional(z.int().min(1).max(limits.accessTokenSeconds)).describe(
        'seconds until the token expires; without it the token does not expire',
      ),
      password: askedPassword(),
    }),
    result: AccessToken.omit({ last_used_at: true }).extend({
      token: z.string().describe('what calls are made with: a secret'),
    }),
    errors: ['not_found', 'forbidden'],
  }),
  getAccessTokens: operation({
    since: 16,
    summary:
      "The caller's access tokens that have not expired, newest first, without the tokens themselves. People only.",
    policy: { scope: null, rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(AccessToken) }),
    errors: ['forbidden'],
  }),
  revokeAccessToken: operation({
    since: 16,
    summary: 'Ends an access token of the caller, and closes its sockets. People only.',
    policy: { scope: null, rate: 'endsAccess', guests: true },
    input: z.object({ id: uuid().describe('the `id` of the access token') }),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
} as const;
