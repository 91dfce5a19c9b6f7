import { z } from 'zod';
import { isoTime } from '../fields.ts';
import { Actor } from './accounts.ts';

export const AuditRow = z.object({
  id: z.string(),
  at: isoTime().describe('when it was done'),
  actor: z
    .string()
    .nullable()
    .describe('username of who did it; `shell` for the admin command; null for a failed sign-in'),
  action: z.string().describe('the operation, or the command of the shell as it is typed'),
  target: z.string().optional().describe('the username, or the id, of what was changed; of a group of people its name'),
  details: z.record(z.string(), z.unknown()).optional().describe('names, ids, counts and chosen values'),
  address: z.string().optional().describe('the network address of the caller, if it is known'),
});
export type AuditRow = z.output<typeof AuditRow>;

export const ReportedMessage = z.object({
  id: z.string(),
  sender: Actor.describe('the account that sent it, as it was then'),
  content: z.string().describe('the text as it was then, or its beginning'),
  is_cut: z.literal(true).optional().describe('the text was longer'),
  attachments: z
    .array(
      z.object({
        kind: z.string().describe('the kind of the attachment'),
        name: z.string().optional().describe('the name of the file'),
        mime_type: z.string().optional().describe('the type of the file'),
      }),
    )
    .describe('what was attached, without its content'),
  created_at: isoTime(),
});
export type ReportedMessage = z.output<typeof ReportedMessage>;

const reportActions = ['none', 'delete', 'disable'] as const;
export const reportAction = z
  .enum(reportActions)
  .describe(
    '`none`: nothing follows; `delete`: the message is deleted for everybody; `disable`: the account of its sender is disabled, of an agent that of its owner',
  );
export type ReportAction = z.output<typeof reportAction>;
export const reportState = z.enum(['open', 'resolved']);
export type ReportState = z.output<typeof reportState>;

export const Report = z.object({
  id: z.string(),
  state: reportState.describe('whether a moderator has to look at it'),
  message_id: z.string(),
  conversation_id: z.string(),
  sender: z.string().describe('username of the sender of the message'),
  message: ReportedMessage.optional().describe('the message as it was when it was reported; only of an open report'),
  before: z.array(ReportedMessage).optional().describe('up to two messages before it, as they were then'),
  after: z.array(ReportedMessage).optional().describe('up to two messages after it, as they were then'),
  reporters: z
    .array(
      z.object({
        username: z.string(),
        reason: z.string().optional().describe('what the person wrote'),
        at: isoTime().describe('when it was reported'),
      }),
    )
    .describe('who reported it, the first 20'),
  reporter_count: z.int().describe('how many people reported it'),
  created_at: isoTime(),
  resolution: z
    .object({
      action: z.enum([...reportActions, 'expired']).describe('`expired`: nobody looked at it within 30 days'),
      by: z.string().optional().describe('username of the moderator'),
      note: z.string().optional().describe('what the moderator wrote'),
      at: isoTime().describe('when it was resolved'),
    })
    .optional()
    .describe('what came of it'),
});
export type Report = z.output<typeof Report>;
