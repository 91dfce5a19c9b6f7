import { z } from 'zod';
import { cursor, label, limit, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { AuditRow } from '../resources.ts';

const time = () => optional(z.iso.datetime({ offset: true }));

export const auditOperations = {
  getAudit: operation({
    since: 14,
    summary:
      'What was done to the installation, its accounts and its rights, newest first: by operations, and by the commands of the shell. Owners of the installation only.',
    policy: { scope: null, rate: 'none', role: 'owner' },
    input: z.object({
      actor: optional(label(limits.nameBytes)).describe('only what this username did; `shell`: the admin command'),
      target: optional(label(limits.nameBytes)).describe('only what was done to this username or id'),
      action: optional(label(limits.nameBytes)).describe('only this operation, or command of the shell'),
      after: time().describe('only since this time'),
      before: time().describe('only before this time'),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(AuditRow), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
  }),
} as const;
