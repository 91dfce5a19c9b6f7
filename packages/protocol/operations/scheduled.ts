import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { laterTime, optional, text, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Message, Reminder, ScheduledMessage } from '../resources.ts';
import { sentFields } from './messages.ts';

const scheduled = { chat_id: uuid(), scheduled_id: uuid() };

export const scheduledOperations = {
  scheduleMessage: operation({
    summary:
      'Schedules a message of the calling human, which the service sends at `send_at` by the rules that hold then. `clear_draft` clears the draft now.',
    policy: { rate: 'messages' },
    input: withoutCombinations(
      z.object({
        ...sentFields,
        text: text(limits.humanTextBytes).describe('the text of the message'),
        send_at: laterTime(),
      }),
      { when: { text: 'empty', attachments: 'empty' }, at: 'text', message: 'or an attachment is required' },
    ),
    result: ScheduledMessage,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  getScheduledMessages: operation({
    summary: "The caller's scheduled messages, those that could not be sent included, soonest first.",
    policy: { rate: 'none' },
    input: z.object({ chat_id: optional(uuid()) }),
    result: z.object({ items: z.array(ScheduledMessage) }),
    errors: [],
  }),
  editScheduledMessage: operation({
    summary: 'Changes the text or the time of a scheduled message. One that could not be sent is tried again.',
    policy: { rate: 'writes' },
    input: z.object({
      ...scheduled,
      text: optional(text(limits.humanTextBytes)).describe('the new text; absent: it stays'),
      send_at: optional(laterTime()),
    }),
    result: ScheduledMessage,
    errors: ['not_found', 'too_large'],
  }),
  cancelScheduledMessage: operation({
    summary: 'Deletes a scheduled message.',
    policy: { rate: 'writes' },
    input: z.object(scheduled),
    result: null,
    errors: ['not_found'],
  }),
  sendScheduledMessage: operation({
    summary: 'Sends a scheduled message now.',
    policy: { rate: 'writes' },
    input: z.object(scheduled),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  remindMe: operation({
    summary:
      'Reminds the calling human of a message at `remind_at`: the guide sends it a link to the message. A second reminder of the same message replaces the first.',
    policy: { rate: 'writes' },
    input: z.object({ message_id: uuid(), remind_at: laterTime() }),
    result: Reminder,
    errors: ['not_found', 'forbidden'],
  }),
  getReminders: operation({
    summary: "The caller's reminders of messages that it can see, soonest first.",
    policy: { rate: 'none' },
    input: z.object({}),
    result: z.object({ items: z.array(Reminder) }),
    errors: [],
  }),
  cancelReminder: operation({
    summary: 'Deletes a reminder.',
    policy: { rate: 'writes' },
    input: z.object({ reminder_id: uuid().describe('the `id` of the reminder') }),
    result: null,
    errors: ['not_found'],
  }),
} as const;
