// Accounts and what they show of themselves.
import { z } from 'zod';
import { accountRoles } from '../account-roles.ts';
import { isoTime, label, optional } from '../fields.ts';
import { limits } from '../limits.ts';

export const accountKind = z.enum(['human', 'agent']).describe('a person, or an agent; bots are agents');

export const Account = z.object({
  username: z.string(),
  kind: accountKind,
  display_name: z.string(),
  parent_username: z.string().optional().describe("of an agent: its owner's username"),
  agent_provider: z.string().optional().describe('of an agent: what runs it, such as `provider_a`, `bot` or `webhook`'),
  avatar_url: z.string().optional(),
  bio: z.string().optional(),
  role: z.enum(accountRoles).optional().meta({
    description:
      'of a person, in the service: its own in getMe, signUp and signIn, that of others for moderators and above',
  }),
  pending: z
    .literal(true)
    .optional()
    .meta({ description: 'in getMe, signUp and signIn: the account waits for approval' }),
  has_password: z
    .literal(false)
    .optional()
    .meta({ description: 'in getMe: the account signs in at an issuer only, and has no password' }),
  is_deleted: z.literal(true).optional().meta({ description: 'the account was deleted; its messages stay' }),
  created_at: isoTime(),
});

/** An account as it appears in events and lists. */
export const Actor = z.object({ username: z.string(), kind: accountKind, display_name: z.string() });

export const Session = z.object({
  id: z.string(),
  is_current: z.boolean().describe('the session whose token made this call'),
  device_name: z.string().optional().describe('the `name` of the device, as given at sign-in'),
  platform: z.string().optional().describe('as given at sign-in'),
  app_version: z.string().optional().describe('as given at sign-in'),
  created_at: isoTime(),
  last_active_at: isoTime().describe('when its token was last used'),
});

export const Device = z.object({
  name: optional(label(limits.nameBytes, 0)).describe(
    'what the device is called in the list of sessions, such as `Firefox on Linux`',
  ),
  platform: optional(label(limits.nameBytes, 0)).describe('such as `web`, `ios` or `android`'),
  app_version: optional(label(limits.nameBytes, 0)).describe('the version of the app'),
});

/** What a person shows beside its name: an emoji, a text, or both. */
export const Status = z.object({
  emoji: z.string().optional(),
  text: z.string().optional().describe('a short text beside the name'),
  until: isoTime().optional().meta({ description: 'when it ends; clients hide it then' }),
});

export const presenceStatus = z.enum(['online', 'offline']);

export const Presence = z.object({
  username: z.string(),
  status: presenceStatus.optional().meta({ description: 'absent if the caller may not know it' }),
  last_seen_at: isoTime().optional().meta({ description: 'of a person who is offline, to the minute' }),
  custom_status: Status.optional().meta({ description: 'what the person has set with setStatus' }),
});

/** What a person shares with others, and in turn sees of them. */
export const Privacy = z.object({
  read_receipts: z.boolean().meta({ description: 'whether senders learn that the person has read their messages' }),
  last_seen: z.boolean().meta({ description: 'whether others learn when the person was last online' }),
  link_previews: z.boolean().meta({
    description: "whether the service reads the pages behind links in the person's messages, and apps show previews",
  }),
});

export type Account = z.output<typeof Account>;
export type Actor = z.output<typeof Actor>;
export type Session = z.output<typeof Session>;
export type Status = z.output<typeof Status>;
export type PresenceStatus = z.output<typeof presenceStatus>;
export type Presence = z.output<typeof Presence>;
export type Privacy = z.output<typeof Privacy>;
