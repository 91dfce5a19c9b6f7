// Scheduled messages, reminders and the inbox.
import { z } from 'zod';
import { errorCodes } from '../errors.ts';
import { isoTime } from '../fields.ts';
import { Actor } from './accounts.ts';
import { Attachment } from './files.ts';
import { givenFieldsOfMessage } from './message-fields.ts';

/** A message that the service will send for its author; with `failed` it could not, and waits for the author. */
export const ScheduledMessage = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  text: z.string().describe('the text, as Markdown'),
  reply_to_message_id: z.uuid().optional(),
  attachments: z.array(Attachment),
  ...givenFieldsOfMessage,
  link_preview: z.boolean().optional().describe('false: no preview of its first link will be made'),
  send_at: isoTime().describe('when the service sends it'),
  created_at: isoTime(),
  failed: z
    .object({
      code: z.enum(errorCodes).describe('the kind of error'),
      message: z.string().describe('what went wrong, for people'),
    })
    .optional()
    .meta({ description: 'the error of the attempt to send it' }),
});

export const scheduleEvery = z.enum(['hour', 'day', 'week', 'month']);

/** When a schedule runs: at one time, or again and again by the clocks of a zone. */
const times = {
  every: scheduleEvery.optional().describe('how often; absent: once, at `at`'),
  at: z
    .string()
    .optional()
    .describe(
      'with `every` the time of day, `HH:MM` (09:00 if absent; of `hour` only the minutes count, 00 if absent); without it the moment, ISO 8601 with a zone, in the future and at most a year ahead',
    ),
  days: z.array(z.int()).optional().describe('of `week`: its days, 1 (Monday) to 7 (Sunday)'),
  day_of_month: z.int().optional().describe('of `month`: 1 (if absent) to 31; of a month that lacks the day its last'),
  zone: z.string().optional().describe('with `every`: whose clocks count, an IANA name such as `Europe/Berlin`'),
};
export const ScheduleTimes = z.object(times);

/** A text that the service sends again and again, or once, as a message of its account. */
export const Schedule = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  channel_id: z.uuid().optional(),
  thread_root_id: z.uuid().optional(),
  agent_username: z
    .string()
    .optional()
    .describe('the agent that each message fires, and no other; absent: whom the text fires as any message does'),
  text: z.string().describe('the text of each message, as Markdown'),
  when: ScheduleTimes.describe('its times, as they were given'),
  state: z
    .enum(['active', 'paused', 'ended'])
    .describe('`paused` by its account, or because the service could not send; `ended`: no time is left'),
  next_at: isoTime().optional().describe('when it runs next; absent unless it is active'),
  upcoming: z.array(isoTime()).describe('the next times, at most 5; empty unless it is active'),
  last: z
    .object({
      at: isoTime().describe('when it ran, or tried to'),
      message_id: z.uuid().optional().describe('the message that it sent'),
      error: z
        .object({
          code: z.enum(errorCodes).describe('the kind of error'),
          message: z.string().describe('what went wrong, for people'),
        })
        .optional()
        .describe('why it sent none'),
    })
    .optional()
    .describe('the last run; absent if there was none'),
  created_at: isoTime(),
});

/** The service reminds its account of a message. */
export const Reminder = z.object({
  id: z.uuid(),
  chat_id: z.uuid(),
  message_id: z.uuid(),
  remind_at: isoTime().describe('when the service reminds its account'),
  created_at: isoTime(),
});

/** An account's notification preferences, for all its devices. */
export const inboxReason = z.enum(['mention', 'reply', 'thread', 'failed_reply', 'decision']);

/** A message that its reader is to look at. */
export const InboxItem = z.object({
  message_id: z.uuid(),
  position: z.int(),
  conversation_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  reason: inboxReason.meta({
    description:
      '`thread`: the first new message of a thread in which the reader wrote; `failed_reply`: of an agent of the reader; `decision`: open, and the reader may decide it',
  }),
  sender: Actor,
  snippet: z.string().meta({ description: 'the beginning of the message as plain text' }),
  contents: z
    .object({
      kind: z.enum(['photo', 'voice_message']).describe('the first attachment'),
      more: z.int().describe('how many more attachments there are'),
    })
    .optional()
    .meta({ description: "of a message without text: what `snippet` says of it in the service's own words" }),
  finish_reason: z.string().optional().describe('of a failed reply: its `finish_reason`'),
  is_unread: z.boolean().meta({ description: 'the message is after the read marker of its conversation' }),
  created_at: isoTime(),
});

export type ScheduledMessage = z.output<typeof ScheduledMessage>;
export type ScheduleTimes = z.output<typeof ScheduleTimes>;
export type Schedule = z.output<typeof Schedule>;
export type Reminder = z.output<typeof Reminder>;
export type InboxReason = z.output<typeof inboxReason>;
export type InboxItem = z.output<typeof InboxItem>;
