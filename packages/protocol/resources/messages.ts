// What messages contain.
import { z } from 'zod';
import { isoTime, name, optional } from '../fields.ts';
import { limits } from '../limits.ts';
import { Actor } from './accounts.ts';

/** Any object: the service sets `actor`, and interprets the other fields named here if it recognizes them. */
export const ServiceNotice = z.looseObject({
  kind: z.unknown().optional().meta({ description: 'what happened, e.g. `call_started`' }),
  actor: z.unknown().optional().meta({ description: "a username: always the sender's" }),
  targets: z.unknown().optional().meta({ description: 'usernames of the accounts it is about' }),
  data: z.unknown().optional().describe('more about what happened, any JSON'),
});

export const ReactionCount = z.object({
  emoji: z.string(),
  count: z.int().describe('how many accounts reacted with it'),
  reactors: z.array(Actor).describe('the first 50 of them'),
});

/** What the page behind a link says of itself: the words of a stranger. */
export const LinkPreview = z.object({
  url: z.string().meta({ description: 'the link as in the text' }),
  title: z.string().describe("the page's title"),
  description: z.string().optional().describe('what the page says it is about'),
  site_name: z.string().optional().describe('the name of the website'),
});

/** A poll with its results; it takes votes until it is closed, or until `closes_at`. */
export const Poll = z.object({
  question: z.string().describe('what is asked'),
  options: z
    .array(
      z.object({
        text: z.string().describe('what can be chosen'),
        votes: z.int().describe('accounts that have chosen it'),
      }),
    )
    .describe('the options in their order; a vote names them by index, from 0'),
  voter_count: z.int().describe('accounts that have voted'),
  is_multiple: z.boolean().meta({ description: 'a vote may name several options' }),
  is_anonymous: z.boolean().meta({ description: 'nobody is told who voted for what' }),
  closes_at: isoTime().optional().describe('when it ends by itself; absent if it does not'),
  closed_at: isoTime().optional().meta({ description: 'closePoll ended it' }),
});

export const PollInput = z.object({
  question: name(limits.pollQuestionBytes).describe('what is asked'),
  options: z
    .array(name(limits.pollOptionBytes))
    .min(2)
    .max(limits.pollOptions)
    .refine((options) => new Set(options).size === options.length, 'has the same option twice')
    .describe('what can be chosen, each option once'),
  is_multiple: optional(z.boolean()).describe('whether a vote may name several options; false by default'),
  is_anonymous: optional(z.boolean()).describe('whether nobody learns who voted for what; false by default'),
  closes_in: optional(z.number().int().min(limits.pollSecondsLeast).max(limits.pollSecondsMost)).meta({
    description: 'seconds until it ends by itself',
  }),
});

/** The vote of one account: indexes of options, from 0; none if it took its vote back. */
export const PollVote = z.object({
  message_id: z.uuid(),
  options: z.array(z.int()).describe('indexes of the chosen options, from 0; none if the account took its vote back'),
});

/** The tokens that a reply used, as reported by its provider or daemon. */
export const TokenUsage = z.object({ input_tokens: z.int(), output_tokens: z.int() });

/** An amount of money. */
export const Price = z.object({
  currency: z.string().meta({ description: 'ISO 4217, such as `USD`' }),
  micros: z.int().meta({ description: 'millionths of a unit of the currency' }),
});

/** The agents that a limit kept a message of an agent from firing, and the limit. */
export const LeftOut = z.object({
  limit: z
    .enum(['hops', 'message', 'unprompted', 'waiting'])
    .describe(
      '`hops`: agents have answered agents as often as they may after one message of a person; `message`: of one message and what follows from it; `unprompted`: of what bots send by themselves; `waiting`: too much waits for the agents already',
    ),
  agents: z.array(z.string()).describe('usernames of the first 32 of them'),
  count: z.int().describe('how many there are'),
});

/** The original sender and time of a forwarded message; its conversation is never disclosed. */
export const Forwarded = z.object({ sender: Actor, created_at: isoTime() });

/**
 * A pressed button or a submitted form. `fields` holds plain values, bounded, with those that look like secrets masked.
 */
export const ComponentAction = z.object({
  username: z.string().meta({ description: 'the account that pressed or submitted' }),
  action: z.string().describe('the token of the button or form'),
  fields: z.record(z.string(), z.string()).optional().describe('of a form: the submitted values, by field'),
});

/** The versions of a reply, the same on each of them. */
export const Versions = z.object({
  ids: z.array(z.uuid()).meta({ description: 'the messages, oldest first' }),
  current: z.uuid().meta({ description: 'the one that people are shown and models receive' }),
});

/** A message and its timeline. */
export const MessagePlace = z.object({
  chat_id: z.uuid(),
  channel_id: z.uuid().nullable(),
  thread_root_id: z.uuid().nullable(),
  message_id: z.uuid(),
});

export const messageStatus = z
  .enum(['streaming', 'complete', 'cancelled', 'failed'])
  .describe(
    '`streaming`: an agent is writing it; `cancelled`: a person stopped it; `failed`: `finish_reason` says why',
  );

/** A picture that people write as `:name:`, in texts, as a reaction and in a status. */
export const CustomEmoji = z.object({
  name: z.string().describe('what stands between the colons'),
  url: z.string().meta({ description: "relative to the service's address; anyone who has it may fetch the picture" }),
  is_own: z.literal(true).optional().meta({ description: 'the caller made it' }),
  created_at: isoTime(),
});

export const Reaction = z.object({ message_id: z.uuid(), reactor: Actor, emoji: z.string(), created_at: isoTime() });

export type ServiceNotice = z.output<typeof ServiceNotice>;
export type ComponentAction = z.output<typeof ComponentAction>;
export type TokenUsage = z.output<typeof TokenUsage>;
export type LeftOut = z.output<typeof LeftOut>;
export type Price = z.output<typeof Price>;
export type MessagePlace = z.output<typeof MessagePlace>;
export type Versions = z.output<typeof Versions>;
export type Poll = z.output<typeof Poll>;
export type PollInput = z.output<typeof PollInput>;
export type LinkPreview = z.output<typeof LinkPreview>;
export type PollVote = z.output<typeof PollVote>;
export type MessageStatus = z.output<typeof messageStatus>;
export type CustomEmoji = z.output<typeof CustomEmoji>;
export type Reaction = z.output<typeof Reaction>;
