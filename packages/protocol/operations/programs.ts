import { z } from 'zod';
import { tokenScopes } from '../access-scopes.ts';
import { askedPassword, label, optional, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';

/** What a program asks for, in the words of OAuth 2.1: the query of its consent page. */
const asked = {
  client_id: label(4_096).describe('the program: the id from its registration, or the address of its document'),
  redirect_uri: label(512).describe('where the program gets its answer: one of its own addresses'),
  response_type: z.literal('code').describe('a code, which the program exchanges for tokens'),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'is no S256 challenge')
    .describe('the hash of the secret with which the program exchanges the code'),
  code_challenge_method: z.literal('S256').describe('SHA-256, the only one'),
  scope: optional(label(1_000)).describe('the scopes that it asks for, separated by spaces; without it all'),
  state: optional(label(2_048)).describe('goes back to the program unchanged'),
  resource: optional(label(512)).describe('the service that the program means: its address, with or without `/mcp`'),
  issuer: optional(label(512)).describe('the address of the consent page, if the service does not know its own'),
};

export const programOperations = {
  getProgramRequest: operation({
    since: 17,
    summary:
      'What a program asks for on the consent page: who it is, where it is, and the scopes. Nothing is granted, and `declined_url` is where the person goes to decline. People only.',
    policy: { scope: null, rate: 'models', guests: true },
    input: z.object(asked),
    result: z.object({
      name: z.string().describe('what the program calls itself'),
      place: z.string().nullable().describe('the host, or the scheme of the app, that it is at; null: this computer'),
      scopes: z.array(z.enum(tokenScopes)).describe('what it asks to be allowed'),
      declined_url: z.string().describe('where the person goes to decline'),
    }),
    errors: ['forbidden'],
  }),
  grantProgram: operation({
    since: 17,
    summary:
      'Grants what a program asks for, or less: it gets an access token of the caller, which getAccessTokens lists. `url` takes the person back to the program. People only.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({
      ...asked,
      scopes: z
        .array(z.enum(tokenScopes))
        .min(1)
        .max(tokenScopes.length)
        .describe('of those that the program asks for'),
      chat_ids: optional(z.array(uuid()).min(1).max(limits.accessTokenChats)).describe(
        'conversations of the caller: for the program no other ones exist',
      ),
      expires_in: optional(z.int().min(1).max(limits.accessTokenSeconds)).describe(
        'seconds until the grant ends; without it it does not end by itself',
      ),
      password: askedPassword(),
    }),
    result: z.object({ url: z.string().describe('where the person goes: it contains a code, for a minute') }),
    errors: ['not_found', 'forbidden'],
  }),
  issueProgramTokens: operation({
    since: 17,
    summary:
      'Exchanges the code of a grant, or a refresh token, for an access token and a new refresh token; `POST /oauth/token` is the same for forms. A code or refresh token that is used twice ends the grant.',
    policy: { scope: null, rate: 'tokenExchanges', open: true },
    input: z.object({
      grant_type: z.enum(['authorization_code', 'refresh_token']).describe('what is exchanged'),
      client_id: asked.client_id,
      code: optional(label(128)).describe('from the address with which the person came back, within a minute'),
      code_verifier: optional(label(128)).describe('the secret whose hash was the `code_challenge`'),
      redirect_uri: optional(asked.redirect_uri),
      refresh_token: optional(label(128)).describe('the newest one of the grant'),
      resource: asked.resource,
    }),
    result: z.object({
      access_token: z.string().describe('what the program bears'),
      token_type: z.literal('Bearer').describe('how it is borne: in the header `Authorization`'),
      expires_in: z.int().describe('seconds'),
      refresh_token: z.string().describe('brings the next tokens, once'),
      scope: z.string().describe('what the person has allowed, separated by spaces'),
    }),
    errors: [],
  }),
} as const;
