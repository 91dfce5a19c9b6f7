// What the people who run a service see and set of it.
import { z } from 'zod';
import { accountRoles } from '../account-roles.ts';
import { isoTime } from '../fields.ts';
import { Account } from './accounts.ts';

/** A person as moderators, admins and owners see it. */
export const AdministeredAccount = Account.extend({
  role: z.enum(accountRoles).describe('what the person may do in the whole service'),
  disabled: z.boolean().describe('it can neither sign in nor be used'),
  pending: z.literal(true).optional().describe('it waits for approveAccount'),
  last_seen_at: isoTime().optional().describe('when one of its sessions was last used'),
});

/** A link with which people create an account. */
export const ServiceInvite = z.object({
  id: z.uuid(),
  created_by: z.string().meta({ description: 'a username' }),
  created_at: isoTime(),
  expires_at: isoTime().optional(),
  max_uses: z.int().optional().describe('how many accounts can be created with it; absent for no limit'),
  uses: z.int().describe('how many accounts were created with it'),
  role: z.enum(['member', 'guest']).describe('of the accounts that are created with it'),
  approval: z.boolean().describe('whether these accounts wait for approveAccount'),
  chat_ids: z.array(z.uuid()).describe('ids of the groups that they join'),
});

export const ServiceSettings = z.object({
  who_invites: z.enum(['admins', 'members']).describe('who may invite people to the service; guests never do'),
  second_factor: z
    .enum(['optional', 'admins', 'everyone'])
    .describe('who must sign in with a second factor, of those who sign in with a password; only owners change it'),
});

export const ServiceOverview = z.object({
  accounts: z
    .array(
      z.object({
        role: z.enum(accountRoles).describe('what these people may do in the whole service'),
        count: z.int().describe('how many people have it, those that are disabled or wait for approval too'),
      }),
    )
    .describe('the people of the service by role; a role that nobody has is left out'),
  disabled: z.int().describe('how many of them are disabled'),
  pending: z.int().describe('how many of them wait for approveAccount'),
  stored_bytes: z.int().describe('what all people and their bots store, messages and files'),
  usage: z
    .array(
      z.object({
        agent: z.string().meta({ description: "the agent's username" }),
        tokens: z.int().describe('input and output tokens on the key of the installation'),
      }),
    )
    .describe('what the agents of the installation have used on its key in the last 30 UTC days'),
  nodes: z.int().describe('how many nodes are alive; 1 for a service that is a single process'),
  version: z.string().describe('the version of the software'),
});

export type ServiceOverview = z.output<typeof ServiceOverview>;
export type AdministeredAccount = z.output<typeof AdministeredAccount>;
export type ServiceInvite = z.output<typeof ServiceInvite>;
export type ServiceSettings = z.output<typeof ServiceSettings>;
