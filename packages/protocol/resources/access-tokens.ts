import { z } from 'zod';
import { tokenScopes } from '../access-scopes.ts';
import { isoTime } from '../fields.ts';

export const AccessToken = z.object({
  id: z.string(),
  name: z.string().describe('what the token is for'),
  scopes: z.array(z.enum(tokenScopes)).describe('what the token may do'),
  chat_ids: z.array(z.string()).optional().describe('the only conversations that exist for the token; absent: all'),
  client: z
    .string()
    .optional()
    .describe(
      'the host, or the scheme of the app, of the program that got it on the consent page; absent: made by hand',
    ),
  created_at: isoTime(),
  expires_at: isoTime().optional().describe('absent: it does not expire'),
  last_used_at: isoTime().optional().describe('right to a few seconds; absent: never used'),
});

export type AccessToken = z.output<typeof AccessToken>;
