import { z } from 'zod';
import { operation } from '../operation.ts';

export const instanceOperations = {
  getServerInfo: operation({
    summary: 'Name, version and feature level of the service.',
    policy: { rate: 'none', limitedSessions: true, open: true },
    input: z.object({}),
    result: z.object({
      name: z.string().describe('what the service is called'),
      version: z.string().describe('the version of the software'),
      feature_level: z.int().describe('grows when operations, fields or caps are added'),
      sign_up: z.enum(['open', 'closed']).describe('whether signUp creates accounts'),
    }),
    errors: [],
  }),
} as const;
