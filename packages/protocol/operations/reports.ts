import { z } from 'zod';
import { cursor, limit, optional, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Report, reportAction, reportState } from '../resources.ts';

export const reportOperations = {
  reportMessage: operation({
    since: 14,
    summary:
      'Reports a message to the moderators of the installation, who see it and up to two messages before and two after it, as they are now, and nothing else of the conversation. A repeat is the same report.',
    policy: { scope: null, rate: 'writes', guests: true },
    input: z.object({
      message_id: uuid(),
      reason: optional(text(limits.reportBytes)).describe('what is wrong with it'),
    }),
    result: z.object({ id: z.string().describe('id of the report') }),
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  getReports: operation({
    since: 14,
    summary:
      'Reports of messages: open ones, oldest first, or resolved ones, newest first. Moderators of the installation and above only. Reports of what the caller or its agents wrote are left out, unless it is the only owner.',
    policy: { scope: null, rate: 'none', role: 'moderator' },
    input: z.object({
      state: optional(reportState).describe('`open` if it is not given'),
      limit: limit(limits.listPage, limits.listPageDefault),
      cursor: cursor(),
    }),
    result: z.object({ items: z.array(Report), next_cursor: z.string().optional() }),
    errors: ['forbidden'],
  }),
  resolveReport: operation({
    since: 14,
    summary:
      'Resolves an open report; the copy of the messages goes with it. A resolved one is a `conflict`. Moderators of the installation and above; `disable` is for admins, and for people below them. Nobody resolves reports of own messages but the only owner.',
    policy: { scope: null, rate: 'writes', role: 'moderator' },
    input: z.object({
      report_id: uuid().describe('id of the report'),
      action: reportAction,
      note: optional(text(limits.reportBytes)).describe('for the other moderators'),
    }),
    result: Report,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
} as const;
