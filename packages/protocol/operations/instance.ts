import { z } from 'zod';
import { operation } from '../operation.ts';

export const instanceOperations = {
  getServerInfo: operation({
    summary: 'Name, version and feature level of the service.',
    policy: { scope: 'read', rate: 'none', limitedSessions: true, open: true },
    input: z.object({}),
    result: z.object({
      name: z.string().describe('what the service is called'),
      version: z.string().describe('the version of the software'),
      feature_level: z.int().describe('grows when operations, fields or caps are added'),
      sign_up: z
        .enum(['open', 'invite', 'closed'])
        .describe('whether signUp creates accounts: for everybody, with an invite, or for nobody'),
      issuers: z
        .array(z.object({ id: z.string().describe('in `/oidc/<id>/start`'), name: z.string().describe('for people') }))
        .describe('where people sign in by OpenID Connect: a link to `/oidc/<id>/start` begins it'),
      passwords: z
        .enum(['everyone', 'owners'])
        .describe('who signs in with a password: where only owners do, nobody calls signUp'),
      max_file_bytes: z.int().describe('the maximum size of a file that uploadFile takes'),
    }),
    errors: [],
  }),
} as const;
