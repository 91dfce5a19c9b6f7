import { z } from 'zod';
import { withoutCombinations } from '../combinations.ts';
import { isoTime, label, laterTime, like, optional, text, username, uuid } from '../fields.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import {
  givenFields,
  Message,
  Reminder,
  Schedule,
  ScheduledMessage,
  scheduleEvery,
  ScheduleTimes,
} from '../resources.ts';
import { sentFields } from './messages.ts';

const scheduled = { chat_id: uuid(), scheduled_id: uuid() };

const shape = ScheduleTimes.shape;
const isEach = (every: z.output<typeof scheduleEvery>) => ({ every: { is: every } }) as const;
const ofOthers = (field: 'days' | 'day_of_month', own: 'week' | 'month') =>
  scheduleEvery.options
    .filter((every) => every !== own)
    .map((every) => ({
      when: { ...isEach(every), [field]: 'given' } as const,
      at: field,
      message: `goes with every: ${own} only`,
    }));

/** The service checks the rest: the form of `at`, and whether there is such a zone. */
const when = () =>
  withoutCombinations(
    z.object({
      every: like(shape.every, optional(scheduleEvery)),
      at: like(shape.at, optional(label(limits.zoneBytes))),
      days: like(shape.days, optional(z.array(z.int().min(1).max(7)).min(1).max(7))),
      day_of_month: like(shape.day_of_month, optional(z.int().min(1).max(31))),
      zone: like(shape.zone, optional(label(limits.zoneBytes))),
    }),
    { when: { every: 'absent', at: 'absent' }, at: 'at', message: 'or every is required' },
    ...(['days', 'day_of_month', 'zone'] as const).map(
      (field) => ({ when: { every: 'absent', [field]: 'given' }, at: field, message: 'goes with every only' }) as const,
    ),
    { when: { every: 'given', zone: 'absent' }, at: 'zone', message: 'is required: an IANA name' },
    { when: { ...isEach('week'), days: 'absent' }, at: 'days', message: 'is required' },
    ...ofOthers('days', 'week'),
    ...ofOthers('day_of_month', 'month'),
  ).describe('the times of the schedule');

const schedule = { schedule_id: uuid() };

export const scheduledOperations = {
  scheduleMessage: operation({
    summary:
      'Schedules a message of the calling human, which the service sends at `send_at` by the rules that hold then. `clear_draft` clears the draft now.',
    policy: { scope: 'send', rate: 'messages', guests: true },
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
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ chat_id: optional(uuid()) }),
    result: z.object({ items: z.array(ScheduledMessage) }),
    errors: [],
  }),
  editScheduledMessage: operation({
    summary: 'Changes the text or the time of a scheduled message. One that could not be sent is tried again.',
    policy: { scope: 'send', rate: 'writes', guests: true },
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
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: z.object(scheduled),
    result: null,
    errors: ['not_found'],
  }),
  sendScheduledMessage: operation({
    summary: 'Sends a scheduled message now.',
    policy: { scope: 'send', rate: 'writes', guests: true },
    input: z.object(scheduled),
    result: Message,
    errors: ['not_found', 'forbidden', 'conflict', 'too_large'],
  }),
  createSchedule: operation({
    since: 14,
    summary:
      'Makes a schedule of the calling human: at each of its times the service sends the text as a message of the caller, by the rules that hold then.',
    policy: { scope: 'manage', rate: 'messages', guests: true },
    input: z.object({
      chat_id: uuid(),
      agent_username: optional(username()).describe(
        'the agent that each message fires, and no other: one that takes part (400); absent: whom the text fires as any message does',
      ),
      text: text(limits.humanTextBytes)
        .refine((value) => value !== '', 'is empty')
        .meta({ description: 'the text of each message', minLength: 1 }),
      when: when(),
      channel_id: optional(uuid()),
      thread_root_id: optional(uuid()),
      client_msg_id: givenFields.client_msg_id,
    }),
    result: Schedule,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  previewSchedule: operation({
    since: 14,
    summary: 'The first times after `from` at which a schedule would run. Stores nothing.',
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({
      when: when(),
      from: optional(z.iso.datetime({ offset: true })).meta({
        description: 'ISO 8601 with a zone; absent: now',
      }),
      count: optional(z.int().min(1).max(limits.scheduleTimes)).meta({ description: 'how many; 5 if absent' }),
    }),
    result: z.object({ items: z.array(isoTime()) }),
    errors: ['forbidden'],
  }),
  getSchedules: operation({
    since: 14,
    summary:
      "The caller's schedules: active ones, soonest first, then paused ones, then for 30 days those that have ended.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({ chat_id: optional(uuid()) }),
    result: z.object({ items: z.array(Schedule) }),
    errors: ['forbidden', 'not_found'],
  }),
  pauseSchedule: operation({
    since: 14,
    summary: 'Pauses a schedule, or lets it go on with its next time. Times that pass meanwhile are left out.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ ...schedule, paused: z.boolean().describe('whether it is paused from now on') }),
    result: Schedule,
    errors: ['not_found', 'forbidden'],
  }),
  runSchedule: operation({
    since: 14,
    summary: 'Sends the message of a schedule once more, now. Its next time stays.',
    policy: { scope: 'manage', rate: 'messages', guests: true },
    input: z.object(schedule),
    result: Schedule,
    errors: ['not_found', 'forbidden', 'too_large'],
  }),
  deleteSchedule: operation({
    since: 14,
    summary: 'Deletes a schedule. The messages that it has sent stay.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object(schedule),
    result: null,
    errors: ['not_found', 'forbidden'],
  }),
  remindMe: operation({
    summary:
      'Reminds the calling human of a message at `remind_at`: the guide sends it a link to the message. A second reminder of the same message replaces the first.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ message_id: uuid(), remind_at: laterTime() }),
    result: Reminder,
    errors: ['not_found', 'forbidden'],
  }),
  getReminders: operation({
    summary: "The caller's reminders of messages that it can see, soonest first.",
    policy: { scope: 'read', rate: 'none', guests: true },
    input: z.object({}),
    result: z.object({ items: z.array(Reminder) }),
    errors: [],
  }),
  cancelReminder: operation({
    summary: 'Deletes a reminder.',
    policy: { scope: 'manage', rate: 'writes', guests: true },
    input: z.object({ reminder_id: uuid().describe('the `id` of the reminder') }),
    result: null,
    errors: ['not_found'],
  }),
} as const;
